// A program of somebody else: it writes all that it is told of a job, its tasks and their sessions, a line each. Arguments: URL, token, id of the job.
import { get } from 'node:http';
import { text } from 'node:stream/consumers';

const [url, token, jobId] = process.argv.slice(2);
// Each on a connection of its own: the server may end one that is kept, in the moment in which it is used again.
const call = (path) =>
  new Promise((resolve, reject) => {
    const options = { agent: false, headers: { Authorization: `Bearer ${token}` } };
    get(`${url}/api/${path}`, options, (response) => text(response).then(JSON.parse).then(resolve, reject)).on('error', reject);
  });
const reader = (await call('token')).token;

async function follow(path) {
  const below = [];
  for (let isOver = false; !isOver;) {
    const { responses } = await call(`copilot/${path}/live/${reader}`);
    for (const response of responses) {
      if (response.error === 'HttpRequestTimeout') continue;
      console.log(JSON.stringify([path, response]));
      if (response.callback === 'workStarted') below.push(follow(`task/${response.taskId}`));
      if (response.callback === 'taskSessionStarted') below.push(follow(`session/${response.sessionId}`));
      isOver = response.error !== undefined;
    }
  }
  await Promise.all(below);
}
await follow(`job/${jobId}`);

/** What a timeline of a run is called as a file. */
export function timelineFileName(jobName: string, jobId: string, ending: 'md' | 'json'): string {
  const slug = jobName.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 40);
  return `${slug}-${jobId.slice(0, 8)}.${ending}`;
}

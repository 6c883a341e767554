/** The tools that every session of a task is offered. Each takes one required string `argument` and returns it. */
export const jobToolNames = ['job_prepare_document', 'job_boolean_true', 'job_boolean_false', 'job_prerequisite_failed'] as const;
export type JobToolName = (typeof jobToolNames)[number];

export interface JobTool {
  readonly name: JobToolName;
  readonly description: string;
  /** What the argument is. */
  readonly argument: string;
}

export const jobTools: readonly JobTool[] = [
  {
    name: 'job_prepare_document',
    description: 'Reports the document that you have prepared. Call it when you are asked to report a document.',
    argument: 'The path of the document, on one line.',
  },
  {
    name: 'job_boolean_true',
    description: 'Answers a question with yes. Call it when you are asked to answer with this tool and the condition holds.',
    argument: 'The reason.',
  },
  {
    name: 'job_boolean_false',
    description: 'Answers a question with no. Call it when you are asked to answer with this tool and the condition does not hold.',
    argument: 'The reason.',
  },
  {
    name: 'job_prerequisite_failed',
    description: 'Reports that something that the task needs is missing. Call it when you are asked to.',
    argument: 'What is missing.',
  },
];

/** The tools of the gateway's own provider, in their order. */
export const tapTools = [
  'tap_list_streams',
  'tap_stream_history',
  'tap_post',
  'tap_start_emitter',
  'tap_stop_emitter',
  'tap_list_emitters',
  'tap_set_event_filter',
  'tap_enable_injector',
  'tap_disable_injector',
  'tap_verify_goal_output',
  'tap_audit_claims',
  'tap_get_session_state',
  'tap_set_session_mode',
  'tap_query_records',
  'tap_gateway_status',
];

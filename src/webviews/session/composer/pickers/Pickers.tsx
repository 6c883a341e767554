/** The model, its options, the session's mode and its switches, in the composer's bar. */
import type { RootState } from '../../../../ahp/v1/root.ts';
import type { SessionState } from '../../../../ahp/v1/session.ts';
import { modelOptionPickers, modelPicker, sessionConfigPickers, sessionSwitches } from '../../../../views/session/frame/header.ts';
import { useSession } from '../../page/sessionContext.tsx';
import { PickerSelect } from './PickerSelect.tsx';
import { SwitchSelect } from './SwitchSelect.tsx';

export function Pickers({ session, root, disabled }: { session: SessionState; root: RootState | undefined; disabled: boolean }) {
  const { dispatch } = useSession();
  const { resource, model } = session.summary;
  const models = modelPicker(session, root);
  return (
    <span class="pickers">
      {models && (
        <PickerSelect
          picker={models}
          disabled={disabled}
          onPick={(id) => id !== '' && dispatch({ type: 'session/modelChanged', session: resource, model: { id } })}
        />
      )}
      {model &&
        modelOptionPickers(session, root).map((picker) => (
          <PickerSelect
            key={picker.id}
            picker={picker}
            disabled={disabled}
            onPick={(value) =>
              dispatch({
                type: 'session/modelChanged',
                session: resource,
                model: { id: model.id, config: { ...model.config, [picker.id]: value } },
              })
            }
          />
        ))}
      {sessionConfigPickers(session).map((picker) => (
        <PickerSelect
          key={picker.id}
          picker={picker}
          disabled={disabled}
          onPick={(value) => dispatch({ type: 'session/configChanged', session: resource, config: { [picker.id]: value } })}
        />
      ))}
      <SwitchSelect
        switches={sessionSwitches(session)}
        disabled={disabled}
        onSwitch={(id, on) => dispatch({ type: 'session/configChanged', session: resource, config: { [id]: on } })}
      />
    </span>
  );
}

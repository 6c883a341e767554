/** Model, the model's options and the session's mode, in the composer's bar. */
import type { RootState } from '../../../ahp/v1/root.ts';
import type { SessionState } from '../../../ahp/v1/session.ts';
import { modelOptionPickers, modelPicker, sessionConfigPickers } from '../../../views/session/header.ts';
import { dispatch } from '../page/gestures.ts';
import { PickerSelect } from './PickerSelect.tsx';

export function Pickers({ session, root, disabled }: { session: SessionState; root: RootState | undefined; disabled: boolean }) {
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
    </span>
  );
}

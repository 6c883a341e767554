/** The model, its options, the session's mode and its switches, in the composer's bar. */
import type { RootState } from '../../../../ahp/channels/root.ts';
import type { ModelSelection } from '../../../../ahp/channels/shapes/basic.ts';
import { chooseModel, nextModel } from '../../../../views/session/composer/composer.ts';
import type { OpenChat } from '../../../../views/session/openChat.ts';
import {
  modelOptionPickers,
  modelPicker,
  sessionConfigPickers,
  sessionForm,
  sessionSwitches,
} from '../../../../views/session/frame/header.ts';
import { useSession } from '../../page/sessionContext.tsx';
import { MoreSettings } from './MoreSettings.tsx';
import { PickerSelect } from './PickerSelect.tsx';
import { SwitchSelect } from './SwitchSelect.tsx';

export function Pickers({ open, root, disabled }: { open: OpenChat; root: RootState | undefined; disabled: boolean }) {
  const { uri, chat: chatUri, dispatch } = useSession();
  const { session, chat } = open;
  const model = nextModel(chat);
  const models = modelPicker(open, root);
  const choose = (chosen: ModelSelection) => dispatch(chatUri, chooseModel(chat, chosen));
  const configure = (config: Record<string, unknown>) => dispatch(uri, { type: 'session/configChanged', config });
  return (
    <span class="pickers">
      {models && <PickerSelect picker={models} disabled={disabled} onPick={(id) => id !== '' && choose({ id })} />}
      {model &&
        modelOptionPickers(open, root).map((picker) => (
          <PickerSelect
            key={picker.id}
            picker={picker}
            disabled={disabled}
            onPick={(value) => choose({ id: model.id, config: { ...model.config, [picker.id]: value } })}
          />
        ))}
      {sessionConfigPickers(session).map((picker) => (
        <PickerSelect key={picker.id} picker={picker} disabled={disabled} onPick={(value) => configure({ [picker.id]: value })} />
      ))}
      <SwitchSelect switches={sessionSwitches(session)} disabled={disabled} onSwitch={(id, on) => configure({ [id]: on })} />
      <MoreSettings
        session={session}
        fields={sessionForm(session)}
        disabled={disabled}
        onValue={(id, value) => configure({ [id]: value })}
      />
    </span>
  );
}

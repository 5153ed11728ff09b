package dev.understudy.sidecar.ranking;

import dev.understudy.relay.config.ConfigException;
import dev.understudy.relay.config.YamlFile;
import dev.understudy.relay.control.Body;
import dev.understudy.relay.control.Call;
import dev.understudy.relay.control.JsonBody;
import dev.understudy.relay.control.Reply;
import dev.understudy.relay.control.Routes;
import dev.understudy.relay.control.access.Access;
import dev.understudy.sidecar.config.SuspectsSection;
import dev.understudy.sidecar.label.LabelRule;
import dev.understudy.sidecar.label.Labels;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;

/**
 * {@code /v1/labels}: by which rules an exchange fails, which operators may change while the sidecar runs. A change is
 * forgotten with the process. Any thread.
 */
public final class LabelsControl {
    /** Each is asked of each exchange. */
    private static final int MOST_RULES = 100;

    private static final Body CHANGE = Body.json(16 << 10);

    private final Labels labels;

    public LabelsControl(Labels labels) {
        this.labels = labels;
    }

    /** Adds its paths to {@code routes}. */
    public Routes addTo(Routes routes) {
        return routes.get("/v1/labels", call -> standing(labels.now()))
                .post(Access.OPERATE, "/v1/labels", CHANGE, this::change)
                .delete(Access.OPERATE, "/v1/labels", call -> standing(labels.change(rule -> labels.configured())));
    }

    private Reply change(Call call) {
        // written anew: an escape of JSON may be none of YAML
        String text = JsonBody.object(call.body()).toString();
        try {
            return standing(labels.change(rule -> changed(text, rule)));
        } catch (ConfigException wrong) {
            throw new IllegalArgumentException(String.join("; ", wrong.problems()), wrong);
        }
    }

    private static LabelRule changed(String text, LabelRule rule) {
        LabelRule changed = YamlFile.read("body", text, section -> SuspectsSection.read(section, rule));
        if (changed.also().size() > MOST_RULES) {
            throw new IllegalArgumentException(
                    "also: " + changed.also().size() + " rules (expected: at most " + MOST_RULES + ")");
        }
        return changed;
    }

    private Reply standing(Labels.Edition now) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("edition", now.number());
        document.putAll(spelled(now.rule()));
        document.put("configured", spelled(labels.configured()));
        return Reply.json(document);
    }

    private static Map<String, Object> spelled(LabelRule rule) {
        Map<String, Object> spelled = new LinkedHashMap<>();
        spelled.put("different", rule.different());
        spelled.put("status", rule.status());
        spelled.put("grpc", new TreeSet<>(rule.grpc()));
        spelled.put("escaped", rule.escaped());
        spelled.put("logged", rule.logged());
        spelled.put("slow", rule.slow().toString());
        spelled.put("also", rule.also().stream().map(LabelRule.Also::toString).toList());
        spelled.put("least", rule.least());
        return spelled;
    }
}

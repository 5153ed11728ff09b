package dev.understudy.sidecar.experiment;

import dev.understudy.sidecar.experiment.Requests.Sample;
import dev.understudy.sidecar.reduce.CallText;
import java.util.LinkedHashMap;
import java.util.Map;

/** Comparisons as {@code /v1/comparisons} has them. Stateless. */
final class ComparisonReport {
    private static final int MOST_PARTINGS = 40;

    private final CallText texts;

    ComparisonReport(CallText texts) {
        this.texts = texts;
    }

    /**
     * All of one.
     *
     * @param number counts them
     * @param automatic whether it has begun by itself
     * @param from how many partings are left out before the first that is shown
     */
    Map<String, Object> of(int number, boolean automatic, Comparison comparison, int from) {
        Comparison.Result result = comparison.result();
        ComparedRequests compared = comparison.compared();
        Map<String, Object> spelled = new LinkedHashMap<>();
        spelled.put("number", number);
        spelled.put("automatic", automatic);
        spelled.put("state", result.state().name());
        spelled.put("words", result.words());
        spelled.put("failing", spell(compared.failing()));
        spelled.put(
                "passing",
                compared.passing().stream()
                        .map(passing -> compared.isPart() ? spellPart(passing) : spell(passing))
                        .toList());
        if (compared.reduced() != null) {
            spelled.put("reduced", compared.reduced());
        }
        spelled.put(
                "asked",
                result.asked().stream()
                        .map(asked -> Map.of(
                                "exchange", asked.exchange(),
                                "role", asked.isFailing() ? "failing" : "passing",
                                "reply", asked.reply(),
                                "fails", asked.fails()))
                        .toList());
        spelled.put("classes", comparison.classes());
        spelled.put("calls", result.calls());
        spelled.put("left", result.left());
        spelled.put("partingCount", result.partings().size());
        spelled.put(
                "partings",
                result.partings().stream()
                        .skip(from)
                        .limit(MOST_PARTINGS)
                        .map(ComparisonReport::spell)
                        .toList());
        return spelled;
    }

    private static Map<String, Object> spell(Sample sample) {
        Map<String, Object> spelled = new LinkedHashMap<>();
        spelled.put("exchange", sample.entry().judged().exchange());
        spelled.put("request", sample.entry().judged().request());
        spelled.put("status", sample.status());
        return spelled;
    }

    /** One that was made of the failing one. */
    private Map<String, Object> spellPart(Sample sample) {
        Map<String, Object> spelled = spell(sample);
        spelled.put("request", texts.line(sample.call()));
        return spelled;
    }

    private static Map<String, Object> spell(ExecutionParting parting) {
        Map<String, Object> spelled = new LinkedHashMap<>();
        spelled.put("method", parting.method());
        spelled.put("kind", parting.kind().name());
        spelled.put("caller", parting.caller());
        spelled.put("failing", parting.failing());
        spelled.put("passing", parting.passing());
        spelled.put("count", parting.count());
        return spelled;
    }
}

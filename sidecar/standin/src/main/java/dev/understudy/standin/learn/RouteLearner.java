package dev.understudy.standin.learn;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.understudy.standin.learn.PathWords.ParsedPath;
import dev.understudy.standin.model.ReplyModel;
import dev.understudy.standin.model.RequestModel;
import dev.understudy.standin.model.RequestModel.QueryParameter;
import dev.understudy.standin.value.Shares;
import dev.understudy.standin.value.ValueLearner;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Learns what the requests of one route look like, and the replies to them. */
final class RouteLearner {
    private static final int MOST_PARAMETERS = 32;
    private static final int MOST_STATUSES = 16;
    private static final Pattern WHOLE = Pattern.compile("-?\\d{1,18}");
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_.\\[\\]-]{0,63}");

    private final String method;
    private final String path;
    private final List<ValueLearner> parts = new ArrayList<>();
    private final Map<String, ValueLearner> query = new LinkedHashMap<>();
    private final BodyLearner requestBodies = new BodyLearner();
    private final Map<Integer, BodyLearner> replies = new TreeMap<>();
    private final Map<Integer, Long> statuses = new TreeMap<>();
    private long count;

    RouteLearner(String method, String path) {
        this.method = method;
        this.path = path;
    }

    long count() {
        return count;
    }

    void add(RecordedCall call, ParsedPath parsed) {
        count++;
        for (int i = 0; i < parsed.parts().size(); i++) {
            if (parts.size() <= i) {
                parts.add(new ValueLearner());
            }
            add(parts.get(i), parsed.parts().get(i));
        }
        addQuery(call.request().target());
        requestBodies.add(
                call.request().first("content-type"),
                call.request().first("content-encoding"),
                call.requestBody(),
                call.requestBytes());
        int status = call.reply().status();
        if (replies.size() >= MOST_STATUSES && !replies.containsKey(status)) {
            return;
        }
        statuses.merge(status, 1L, Long::sum);
        replies.computeIfAbsent(status, any -> new BodyLearner())
                .add(
                        call.reply().first("content-type"),
                        call.reply().first("content-encoding"),
                        call.replyBody(),
                        call.replyBytes());
    }

    private void addQuery(String target) {
        int begin = target.indexOf('?');
        if (begin < 0) {
            return;
        }
        for (String each : target.substring(begin + 1).split("&", MOST_PARAMETERS * 2)) {
            int equals = each.indexOf('=');
            String name = equals < 0 ? each : each.substring(0, equals);
            if (NAME.matcher(name).matches() && (query.size() < MOST_PARAMETERS || query.containsKey(name))) {
                add(
                        query.computeIfAbsent(name, any -> new ValueLearner()),
                        equals < 0 ? "" : each.substring(equals + 1));
            }
        }
    }

    private static void add(ValueLearner learner, String raw) {
        String text = decoded(raw);
        JsonNodeFactory json = JsonNodeFactory.instance;
        learner.add(WHOLE.matcher(text).matches() ? json.numberNode(Long.parseLong(text)) : json.textNode(text));
    }

    private static String decoded(String raw) {
        try {
            return URLDecoder.decode(raw, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notEncoded) {
            return raw;
        }
    }

    RequestModel request() {
        List<QueryParameter> parameters = new ArrayList<>();
        query.forEach((name, learner) ->
                parameters.add(new QueryParameter(name, Shares.of(learner.count(), count), learner.model())));
        return new RequestModel(
                method,
                path,
                parts.stream().map(ValueLearner::model).toList(),
                parameters,
                requestBodies.contentType(),
                requestBodies.size(),
                requestBodies.body());
    }

    List<ReplyModel> replies() {
        long known = statuses.values().stream().mapToLong(Long::longValue).sum();
        return replies.entrySet().stream()
                .map(each -> reply(each.getKey(), known, each.getValue()))
                .sorted(Comparator.comparingDouble(ReplyModel::share).reversed())
                .toList();
    }

    private ReplyModel reply(int status, long known, BodyLearner bodies) {
        long seen = statuses.getOrDefault(status, 0L);
        // what a service has beyond these is no HTTP that a stand-in could speak
        int legal = Math.min(599, Math.max(200, status));
        return new ReplyModel(legal, Shares.of(seen, known), bodies.contentType(), bodies.size(), bodies.body());
    }
}

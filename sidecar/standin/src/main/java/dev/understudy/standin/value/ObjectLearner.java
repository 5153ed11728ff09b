package dev.understudy.standin.value;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.standin.value.ValueModel.MapModel;
import dev.understudy.standin.value.ValueModel.Member;
import dev.understudy.standin.value.ValueModel.ObjectModel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Learns which members the objects of one place have. Names that look like data, or of which there are many, are data:
 * then only their lengths and characters are kept.
 */
final class ObjectLearner {
    /** Beyond so many names they are data. */
    static final int MOST_NAMES = 64;
    /** A name that fewer objects have is left out: it may be data. */
    private static final int LEAST_SEEN = 3;

    private static final int FEW_NAMES = 8;
    private static final double SELDOM = 0.3;
    private static final int SAMPLES = 500;
    private static final Pattern NAME = Pattern.compile("[A-Za-z_$@][A-Za-z0-9_$.:-]{0,63}");
    private static final Pattern NUMBER_WITHIN = Pattern.compile(".*\\d{3}.*");

    private final SampleReservoir sizes = new SampleReservoir(SAMPLES);
    private final TextLearner names = new TextLearner();
    private final Map<String, ValueLearner> members = new LinkedHashMap<>();
    private @Nullable ValueLearner anyMember;
    private long seen;

    void add(JsonNode object, int depth) {
        seen++;
        sizes.add(object.size());
        object.properties().forEach(each -> add(each.getKey(), each.getValue(), depth));
    }

    private void add(String name, JsonNode value, int depth) {
        names.add(name);
        if (anyMember == null && (isData(name) || (members.size() >= MOST_NAMES && !members.containsKey(name)))) {
            anyMember = merged();
            members.clear();
        }
        if (anyMember != null) {
            anyMember.add(value, depth + 1);
        } else {
            members.computeIfAbsent(name, any -> new ValueLearner()).add(value, depth + 1);
        }
    }

    void addAll(ObjectLearner other) {
        seen += other.seen;
        sizes.addAll(other.sizes);
        names.addAll(other.names);
        if (anyMember != null || other.anyMember != null) {
            ValueLearner all = anyMember == null ? merged() : anyMember;
            all.addAll(other.anyMember == null ? other.merged() : other.anyMember);
            anyMember = all;
            members.clear();
        } else {
            other.members.forEach((name, learner) ->
                    members.computeIfAbsent(name, any -> new ValueLearner()).addAll(learner));
        }
    }

    private ValueLearner merged() {
        ValueLearner all = new ValueLearner();
        members.values().forEach(all::addAll);
        return all;
    }

    private static boolean isData(String name) {
        return !NAME.matcher(name).matches() || NUMBER_WITHIN.matcher(name).matches();
    }

    ValueModel model() {
        long seldom = members.values().stream()
                .filter(member -> member.count() < SELDOM * seen)
                .count();
        if (anyMember != null || (members.size() >= FEW_NAMES && seldom * 2 > members.size())) {
            ValueLearner all = anyMember == null ? merged() : anyMember;
            return new MapModel(sizes.quantiles(), names.model(), all.model());
        }
        List<Member> models = new ArrayList<>();
        members.forEach((name, learner) -> {
            if (learner.count() >= Math.min(LEAST_SEEN, seen)) {
                models.add(new Member(name, Shares.of(learner.count(), seen), learner.model()));
            }
        });
        return new ObjectModel(models);
    }
}

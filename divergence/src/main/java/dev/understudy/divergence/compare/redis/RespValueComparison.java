package dev.understudy.divergence.compare.redis;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Differences;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.ValueNoise;
import dev.understudy.divergence.compare.value.MixedText;
import dev.understudy.divergence.wire.redis.RedisCommand;
import dev.understudy.divergence.wire.redis.RespValue;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compares two values of one reply, of which at least one byte differs, place by place. Confined to one thread. */
final class RespValueComparison {
    private static final long MILLIS_IN_SECOND = 1000;

    private final ValueNoise noise;
    private final MixedText mixed;
    private final Differences differences;
    private boolean isVolatile;

    RespValueComparison(ValueNoise noise, MixedText mixed, Differences differences) {
        this.noise = noise;
        this.mixed = mixed;
        this.differences = differences;
    }

    /** Whether something differs of which nobody can say whether it should. */
    boolean isVolatile() {
        return isVolatile;
    }

    /** The answers of an {@code EXEC}, each as its command has it. */
    void transaction(String path, List<RedisCommand> commands, RespValue production, RespValue debug) {
        List<RespValue> ours = RespShape.items(production);
        List<RespValue> theirs = RespShape.items(debug);
        if (ours == null || theirs == null || ours.size() != theirs.size() || ours.size() != commands.size()) {
            compare(path, RespAnswer.PLAIN, production, debug);
            return;
        }
        for (int i = 0; i < ours.size() && !differences.full(); i++) {
            compare(path + "[" + i + "]", RespAnswer.of(commands.get(i)), ours.get(i), theirs.get(i));
        }
    }

    void compare(String path, RespAnswer answer, RespValue production, RespValue debug) {
        if (production.equals(debug) || differences.full()) {
            return;
        }
        if (production instanceof RespValue.Attributed ours && debug instanceof RespValue.Attributed theirs) {
            new RespMembers(this, differences).pairs(path + ".attributes", ours.attributes(), theirs.attributes());
            compare(path, answer, ours.value(), theirs.value());
        } else if (production.getClass() != debug.getClass()
                || RespShape.isNull(production)
                || RespShape.isNull(debug)) {
            differences.real(path, Difference.Type.TYPE, RespShape.shown(production), RespShape.shown(debug));
        } else if (RespShape.isError(production)) {
            error(path, RespShape.shown(production), RespShape.shown(debug));
        } else {
            meant(path, answer, production, debug);
        }
    }

    private void error(String path, String ours, String theirs) {
        String code = code(ours);
        String other = code(theirs);
        boolean sameCode = code.equals(other);
        differences.real(path + (sameCode ? ".error" : ".code"), Difference.Type.VALUE, ours, theirs);
    }

    private static String code(String message) {
        int blank = message.indexOf(' ');
        return blank < 0 ? message : message.substring(0, blank);
    }

    private void meant(String path, RespAnswer answer, RespValue production, RespValue debug) {
        List<RespValue> ours = RespShape.items(production);
        List<RespValue> theirs = RespShape.items(debug);
        switch (answer) {
            case VOLATILE, SCAN -> isVolatile = true;
            case CONNECTION -> own(path, production, debug);
            case CLOCK -> clock(path, production, debug, ours, theirs);
            case SECONDS, MILLIS -> left(path, answer == RespAnswer.SECONDS ? MILLIS_IN_SECOND : 1, production, debug);
            case STREAM_ID -> streamId(path, production, debug);
            case MEMBERS -> {
                if (ours == null || theirs == null) {
                    plain(path, production, debug);
                } else {
                    new RespMembers(this, differences).members(path, ours, theirs);
                }
            }
            case PAIRS, GREETING -> {
                List<RespValue.Entry> pairs = RespShape.pairs(production);
                List<RespValue.Entry> others = RespShape.pairs(debug);
                if (pairs == null || others == null) {
                    plain(path, production, debug);
                } else {
                    new RespMembers(this, differences, answer == RespAnswer.GREETING).pairs(path, pairs, others);
                }
            }
            case PLAIN -> plain(path, production, debug);
        }
    }

    /** What it looks like: sets and maps of RESP3 have no order, arrays have. */
    private void plain(String path, RespValue production, RespValue debug) {
        if (production instanceof RespValue.Mapping ours && debug instanceof RespValue.Mapping theirs) {
            new RespMembers(this, differences).pairs(path, ours.entries(), theirs.entries());
        } else if (production instanceof RespValue.Unordered ours && debug instanceof RespValue.Unordered theirs) {
            new RespMembers(this, differences).members(path, ours.items(), theirs.items());
        } else if (production instanceof RespValue.Decimal ours && debug instanceof RespValue.Decimal theirs) {
            decimal(path, ours.text(), theirs.text());
        } else {
            List<RespValue> ours = RespShape.items(production);
            List<RespValue> theirs = RespShape.items(debug);
            if (ours == null || theirs == null) {
                scalar(path, production, debug);
            } else {
                sequence(path, ours, theirs);
            }
        }
    }

    private void scalar(String path, RespValue production, RespValue debug) {
        String ours = RespShape.shown(production);
        String theirs = RespShape.shown(debug);
        boolean texts = RespShape.isText(production) && RespShape.isText(debug) && !ours.equals(theirs);
        Noise why = production instanceof RespValue.Int
                ? noise.ofNumber(ours, theirs)
                : texts ? noise.ofText(ours, theirs) : null;
        if (why != null || !texts || !mixed.compare(path, ours, theirs)) {
            differences.add(path, Difference.Type.VALUE, ours, theirs, why);
        }
    }

    private void decimal(String path, String ours, String theirs) {
        BigDecimal number = RespShape.number(ours);
        BigDecimal other = RespShape.number(theirs);
        boolean equal = number != null && other != null && number.compareTo(other) == 0;
        differences.add(path, Difference.Type.VALUE, ours, theirs, equal ? Noise.NUMBER_FORM : null);
    }

    private void sequence(String path, List<RespValue> ours, List<RespValue> theirs) {
        int common = Math.min(ours.size(), theirs.size());
        for (int i = 0; i < common && !differences.full(); i++) {
            compare(path + "[" + i + "]", RespAnswer.PLAIN, ours.get(i), theirs.get(i));
        }
        for (int i = common; i < ours.size() && !differences.full(); i++) {
            differences.real(path + "[" + i + "]", Difference.Type.MISSING, RespShape.shown(ours.get(i)), null);
        }
        for (int i = common; i < theirs.size() && !differences.full(); i++) {
            differences.real(path + "[" + i + "]", Difference.Type.EXTRA, null, RespShape.shown(theirs.get(i)));
        }
    }

    /** A number that each server gives its own connection. */
    void own(String path, RespValue production, RespValue debug) {
        Noise why = production instanceof RespValue.Int && debug instanceof RespValue.Int ? Noise.IDENTITY : null;
        differences.add(path, Difference.Type.VALUE, RespShape.shown(production), RespShape.shown(debug), why);
    }

    private void clock(
            String path,
            RespValue production,
            RespValue debug,
            @Nullable List<RespValue> ours,
            @Nullable List<RespValue> theirs) {
        if (ours == null || theirs == null || ours.size() != 2 || theirs.size() != 2) {
            plain(path, production, debug);
            return;
        }
        String time = micros(ours);
        String other = micros(theirs);
        differences.add(path, Difference.Type.VALUE, time, other, noise.ofNumber(time, other));
    }

    private static String micros(List<RespValue> parts) {
        String micros = RespShape.shown(parts.get(1));
        return RespShape.shown(parts.get(0)) + "0".repeat(Math.max(0, 6 - micros.length())) + micros;
    }

    /** Counts down while debug lags, by no more than it does; a key without an end, or none, is another matter. */
    private void left(String path, long millis, RespValue production, RespValue debug) {
        if (!(production instanceof RespValue.Int ours && debug instanceof RespValue.Int theirs)) {
            plain(path, production, debug);
            return;
        }
        Duration lag = Duration.between(
                        noise.productionSpan().from(), noise.debugSpan().to())
                .abs();
        boolean near = ours.value() >= 0
                && theirs.value() >= 0
                && Math.abs(ours.value() - theirs.value()) <= lag.toMillis() / millis + 1;
        String one = RespShape.shown(production);
        String two = RespShape.shown(debug);
        differences.add(path, Difference.Type.VALUE, one, two, near ? Noise.EXCHANGE_TIME : null);
    }

    private void streamId(String path, RespValue production, RespValue debug) {
        String ours = RespShape.shown(production);
        String theirs = RespShape.shown(debug);
        int dash = ours.indexOf('-');
        int other = theirs.indexOf('-');
        Noise why = dash < 0 || other < 0 ? null : noise.ofNumber(ours.substring(0, dash), theirs.substring(0, other));
        differences.add(path, Difference.Type.VALUE, ours, theirs, why);
    }
}

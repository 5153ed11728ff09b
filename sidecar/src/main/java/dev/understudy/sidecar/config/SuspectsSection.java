package dev.understudy.sidecar.config;

import dev.understudy.divergence.wire.http.GrpcCode;
import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;
import dev.understudy.sidecar.label.LabelRule;
import dev.understudy.sidecar.label.Slow;
import java.util.List;
import java.util.Set;

/** The section {@code suspects}: the operator's rule, which exchanges fail. Calls that change it are read alike. */
public final class SuspectsSection {
    private static final int HIGHEST_STATUS = 1_000;
    private static final int MOST_NEEDED = 1_000_000;

    private static final Value<GrpcCode> CODE = new Value<>(
            "a gRPC status from 0 to 16 or its name, such as 13 or INTERNAL", GrpcCode::named, GrpcCode.UNKNOWN);

    private static final Value<LabelRule.Also> ALSO = new Value<>(
            "a status, a method and a path with *, such as 404 GET "
                    + "/users/*, or 200 POST /orders where json /total < 0, "
                    + "or of SQL 23505 INSERT INTO users*, "
                    + "or of gRPC grpc:5 (0 to 16, or NOT_FOUND) POST "
                    + "/shop.Cart/*, or of bytes ERROR* tcp get, "
                    + "or how they begin * tcp */cart/7*",
            LabelRule.Also::of,
            LabelRule.Also.of("404 GET /"));

    private SuspectsSection() {}

    /**
     * Reads it.
     *
     * @param otherwise has what isn't set
     */
    public static LabelRule read(Section section, LabelRule otherwise) {
        List<LabelRule.Also> also = section.listed("also", ALSO);
        return new LabelRule(
                section.optional("different", Value.flag(), otherwise.different()),
                section.optional("status", Value.integer(100, HIGHEST_STATUS), otherwise.status()),
                section.has("grpc") ? Set.copyOf(section.listed("grpc", CODE)) : otherwise.grpc(),
                section.optional("escaped", Value.flag(), otherwise.escaped()),
                section.optional("logged", Value.flag(), otherwise.logged()),
                section.optional(
                        "slow",
                        new Value<>(
                                "a time such as 250ms or 5s, a percentile such as p99, or never", Slow::of, Slow.NEVER),
                        otherwise.slow()),
                section.has("also") ? also : otherwise.also(),
                section.optional("least", Value.integer(2, MOST_NEEDED), otherwise.least()));
    }
}

package dev.understudy.testing.junit;

import dev.understudy.testing.FailureRule;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Runs the tests of a class against a service, with another build of it beside it, and fails each test in which that
 * build does something else.
 *
 * <pre>{@code
 * @Understudy(production = {"released.jar", "--port=0"}, debug = {"target/service.jar", "--port=0"})
 * class PricesTest {
 *     @Test
 *     void price_isThatOfTheDay(UnderstudyEnvironment service) throws Exception {
 *         get(service.uri().resolve("/prices/7"));
 *     }
 * }
 * }</pre>
 *
 * <p>A test may have an {@code UnderstudyEnvironment} and an {@code UnderstudyClient} as parameters. Each class has its
 * own processes, so that classes may run in parallel. The methods of one run one after another, since a finding has to
 * belong to one of them.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(UnderstudyExtension.class)
@Execution(ExecutionMode.SAME_THREAD)
public @interface Understudy {
    /** The service as it is: options of the JVM, a jar or class, and arguments; or {@code host:port}. */
    String[] production();

    /** The other build, written in the same way. */
    String[] debug();

    /** What the service calls, such as {@code rates=http://127.0.0.1:8090}; {@code ${name}} is a system property. */
    String[] upstreams() default {};

    /** What the service speaks: {@code http}, {@code redis}, {@code postgres} or {@code tcp}. */
    String protocol() default "http";

    /** What fails a test. */
    FailureRule[] rules() default {
        FailureRule.DIFFERENT,
        FailureRule.NOT_COMPARED,
        FailureRule.NOTHING,
        FailureRule.LOST,
        FailureRule.MISSED,
        FailureRule.CALLS,
        FailureRule.REACHED
    };

    /** A file of tolerated differences, as {@code understudy noise export} writes it; none if empty. */
    String noiseRules() default "";

    /** Further settings of the sidecar, such as {@code comparison.max-body=8MiB}. */
    String[] settings() default {};

    /** A regular expression whose first group is the port in a service's output; usual if empty. */
    String port() default "";
}

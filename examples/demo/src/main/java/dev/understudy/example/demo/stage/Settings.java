package dev.understudy.example.demo.stage;

import java.nio.file.Path;

/** The configuration files of sidecar and aggregator for a run. */
public final class Settings {
    /** What the operator of the shop counts as failing besides status 500: a promise that wasn't kept. */
    public static final String RULE = "422 POST /orders";

    private Settings() {}

    /**
     * Customers are few and send large attachments, so one of them may take up much of the window while all that was
     * just started is slow.
     *
     * @param sources the folder with the service's source
     */
    static String sidecar(Addresses at, Path sources, String otlp) {
        return """
                listeners:
                  - name: orders
                    listen: 127.0.0.1:%d
                    production: 127.0.0.1:%d
                    debug: 127.0.0.1:%d
                    protocol: http
                    order: causal
                window:
                  lane-memory: 40MiB
                drain: 1s
                aggregator:
                  url: http://127.0.0.1:%d
                suspects:
                  also: ["%s"]
                sources: ['%s']
                control:
                  listen: 127.0.0.1:%d
                telemetry:
                  otlp: "%s"
                """.formatted(
                        at.sidecar(),
                        at.production(),
                        at.debug(),
                        at.aggregatorControl(),
                        RULE,
                        sources.toString().replace("'", "''"),
                        at.sidecarControl(),
                        otlp);
    }

    static String aggregator(Addresses at, String otlp) {
        return "upstreams:\n"
                + upstream("postgres", "postgres", at.postgresForProduction(), at.postgres(), at.postgresForDebug())
                + upstream("redis", "redis", at.redisForProduction(), at.redis(), at.redisForDebug())
                + upstream("pricing", "http", at.pricingForProduction(), at.pricing(), at.pricingForDebug())
                + """
                drain: 1s
                tap:
                  recorder-java-options: -Xmx768m -XX:MaxDirectMemorySize=768m -XX:TieredStopAtLevel=1
                control:
                  listen: 127.0.0.1:%d
                telemetry:
                  otlp: "%s"
                """.formatted(at.aggregatorControl(), otlp);
    }

    private static String upstream(String name, String protocol, int production, int upstream, int debug) {
        return """
                  - name: %s
                    protocol: %s
                    production:
                      listen: 127.0.0.1:%d
                      upstream: 127.0.0.1:%d
                    debug:
                      listen: 127.0.0.1:%d
                """.formatted(name, protocol, production, upstream, debug).indent(2);
    }
}

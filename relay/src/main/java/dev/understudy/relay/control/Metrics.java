package dev.understudy.relay.control;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import java.util.Map;

/**
 * The meters of one process: scraped at {@code /metrics}, and sent to an OTLP endpoint where one is given.
 *
 * <p>Thread-safe. Sending runs on a thread of Micrometer's and drops what it can't send.
 */
public final class Metrics implements AutoCloseable {
    private final CompositeMeterRegistry registry = new CompositeMeterRegistry();
    private final PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics gc = new JvmGcMetrics();

    private Metrics() {}

    /**
     * Opens the registry.
     *
     * @param service the OpenTelemetry {@code service.name}
     * @param otlp the base address of an OTLP/HTTP receiver, such as {@code http://127.0.0.1:4318}, or {@code ""}
     */
    public static Metrics open(String service, String otlp) {
        Metrics metrics = new Metrics();
        metrics.registry.add(metrics.prometheus);
        if (!otlp.isEmpty()) {
            Map<String, String> settings = Map.of(
                    "otlp.url", otlp + "/v1/metrics",
                    "otlp.step", "10s",
                    "otlp.resourceAttributes", "service.name=" + service);
            metrics.registry.add(new OtlpMeterRegistry(settings::get, Clock.SYSTEM));
        }
        new JvmMemoryMetrics().bindTo(metrics.registry);
        new ProcessorMetrics().bindTo(metrics.registry);
        metrics.gc.bindTo(metrics.registry);
        return metrics;
    }

    /** Returns where meters are registered; names begin with {@code understudy.}. */
    public MeterRegistry registry() {
        return registry;
    }

    /** Adds {@code GET /metrics} in the Prometheus text format. */
    public Routes addTo(Routes routes) {
        return routes.get("/metrics", call -> Reply.text(200, prometheus.scrape()));
    }

    @Override
    public void close() {
        gc.close();
        registry.close();
        prometheus.close();
    }
}

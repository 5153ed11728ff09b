package dev.understudy.example.demo.stage;

/** Who listens on which loopback port. */
public record Addresses(
        int postgres,
        int redis,
        int pricing,
        int postgresForProduction,
        int postgresForDebug,
        int redisForProduction,
        int redisForDebug,
        int pricingForProduction,
        int pricingForDebug,
        int production,
        int debug,
        int sidecar,
        int sidecarControl,
        int aggregatorControl) {

    static Addresses free() throws StartFailed {
        FreePorts free = new FreePorts();
        return new Addresses(
                free.next(),
                free.next(),
                free.next(),
                free.next(),
                free.next(),
                free.next(),
                free.next(),
                free.next(),
                free.next(),
                free.next(),
                free.next(),
                free.next(),
                free.next(),
                free.next());
    }

    static String url(int port) {
        return "http://127.0.0.1:" + port;
    }

    /** Where clients go. */
    public String front() {
        return url(sidecar);
    }

    public String sidecarControlUrl() {
        return url(sidecarControl);
    }

    public String aggregatorControlUrl() {
        return url(aggregatorControl);
    }

    public String pricingUrl() {
        return url(pricing);
    }
}

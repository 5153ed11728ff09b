package dev.understudy.aggregator.postgres.replay;

import dev.understudy.aggregator.fact.ServerFacts;
import dev.understudy.aggregator.postgres.exchange.SettingValue;
import dev.understudy.aggregator.postgres.sql.Settings;
import java.util.Map;
import java.util.TreeMap;

/**
 * Tells a debug client which of the settings that servers report have changed since it was told: before it may ask
 * again, as servers do since PostgreSQL 14. In the words that production's server used for what was set so, or else in
 * those that any server is known to use. Confined to the connection's event loop.
 */
final class Reports {
    private static final String USER = "session_authorization";

    private final Settings settings;
    private final ServerFacts facts;
    private final PgOutlet outlet;
    private final Map<String, String> told = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private String superuser = "";
    private long seen;

    Reports(Settings settings, ServerFacts facts, PgOutlet outlet) {
        this.settings = settings;
        this.facts = facts;
        this.outlet = outlet;
    }

    /** The client was greeted with these. */
    void greeted(Map<String, String> parameters) {
        parameters.forEach((name, value) -> {
            if (Greeting.reported(name) != null || name.equals(USER) || name.equals(SettingValue.SUPERUSER)) {
                told.put(name, value);
            }
        });
        superuser = parameters.getOrDefault(SettingValue.SUPERUSER, "");
        seen = settings.changes();
    }

    /** The client may ask again. */
    void ready() {
        if (seen == settings.changes()) {
            return;
        }
        seen = settings.changes();
        for (Map.Entry<String, String> one : told.entrySet()) {
            String now = now(one.getKey(), one.getValue());
            if (!now.equals(one.getValue())) {
                one.setValue(now);
                outlet.write(Greeting.status(one.getKey(), now));
            }
        }
    }

    private String now(String name, String before) {
        return switch (name) {
            case USER -> settings.user();
            case SettingValue.SUPERUSER -> superuser(before);
            default -> words(name, String.valueOf(settings.get(name)));
        };
    }

    /** Of roles that production hasn't had yet nobody knows what they may. */
    private String superuser(String before) {
        String role = settings.role();
        if (role.equals(settings.loggedIn())) {
            return superuser;
        }
        SettingValue recorded = facts.known(new SettingValue(SettingValue.SUPERUSER, role), SettingValue.class);
        return recorded == null ? before : recorded.value();
    }

    private String words(String name, String value) {
        SettingValue recorded = facts.known(new SettingValue(name, value), SettingValue.class);
        return recorded == null ? value : recorded.value();
    }
}

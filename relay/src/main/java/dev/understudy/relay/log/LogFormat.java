package dev.understudy.relay.log;

import org.slf4j.spi.SLF4JServiceProvider;

/** How log lines are written to standard error. */
public enum LogFormat {
    /** For people. */
    TEXT {
        @Override
        public void use() {}
    },
    /** One JSON object a line, for log collectors. */
    JSON {
        @Override
        public void use() {
            Class<? extends SLF4JServiceProvider> provider = JsonLogs.class;
            System.setProperty("slf4j.provider", provider.getName());
            System.setProperty("slf4j.internal.verbosity", "WARN"); // or it says so, and not in JSON
        }
    };

    /** Has loggers write so that are made from now on; to be called before the first is. */
    public abstract void use();
}

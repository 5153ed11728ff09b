package dev.understudy.session.target.guess;

import dev.understudy.session.target.TlsUse;
import java.util.Map;
import java.util.Optional;

/**
 * A port that a protocol is usually found at.
 *
 * @param protocol a value of the setting {@code protocol}
 * @param owner whose port it is, in words
 * @param tls whether TLS is usual there
 */
record KnownPort(String protocol, String owner, TlsUse tls) {
    private static final Map<Integer, KnownPort> ALL = Map.ofEntries(
            port(5432, "postgres", "PostgreSQL"),
            port(6432, "postgres", "PgBouncer"),
            port(26257, "postgres", "CockroachDB"),
            port(3306, "mysql", "MySQL"),
            port(6379, "redis", "Redis"),
            port(26379, "redis", "Redis Sentinel"),
            Map.entry(6380, new KnownPort("redis", "Redis with TLS", TlsUse.YES)),
            Map.entry(80, new KnownPort("http", "HTTP", TlsUse.NO)),
            Map.entry(443, new KnownPort("http", "HTTPS", TlsUse.YES)),
            Map.entry(8443, new KnownPort("http", "HTTPS", TlsUse.YES)),
            port(8000, "http", "HTTP"),
            port(8080, "http", "HTTP"),
            port(8081, "http", "HTTP"),
            port(4317, "http", "OpenTelemetry"),
            port(4318, "http", "OpenTelemetry"),
            port(9200, "http", "Elasticsearch"),
            port(8500, "http", "Consul"),
            port(8200, "http", "Vault"),
            port(50051, "http", "gRPC"),
            port(9092, "tcp", "Kafka"),
            port(27017, "tcp", "MongoDB"),
            port(5672, "tcp", "AMQP"),
            port(61616, "tcp", "ActiveMQ"),
            port(9042, "tcp", "Cassandra"),
            port(11211, "tcp", "memcached"),
            port(2181, "tcp", "ZooKeeper"),
            port(1521, "tcp", "Oracle"),
            port(1433, "tcp", "SQL Server"),
            port(389, "tcp", "LDAP"),
            Map.entry(636, new KnownPort("tcp", "LDAP with TLS", TlsUse.YES)),
            port(25, "tcp", "SMTP"),
            port(53, "tcp", "DNS"));

    static Optional<KnownPort> of(int port) {
        return Optional.ofNullable(ALL.get(port));
    }

    private static Map.Entry<Integer, KnownPort> port(int number, String protocol, String owner) {
        return Map.entry(number, new KnownPort(protocol, owner, TlsUse.UNKNOWN));
    }
}

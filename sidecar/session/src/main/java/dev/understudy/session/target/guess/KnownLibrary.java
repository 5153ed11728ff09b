package dev.understudy.session.target.guess;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Libraries by which a JVM speaks a protocol, found by the beginnings of their files' names. */
enum KnownLibrary {
    POSTGRES("postgres", "postgresql-", "r2dbc-postgresql-", "pgjdbc-", "vertx-pg-client-"),
    MYSQL("mysql", "mysql-connector-", "mariadb-java-client-", "r2dbc-mysql-", "r2dbc-mariadb-", "vertx-mysql-client-"),
    REDIS("redis", "lettuce-core-", "jedis-", "redisson-", "vertx-redis-client-"),
    OTHER(
            "tcp",
            "kafka-clients-",
            "mongodb-driver-",
            "mongo-java-driver-",
            "ojdbc",
            "mssql-jdbc-",
            "amqp-client-",
            "java-driver-core-",
            "spymemcached-"),
    HTTP_SERVER(
            "http",
            "tomcat-embed-core-",
            "jetty-server-",
            "undertow-core-",
            "reactor-netty-http-",
            "netty-codec-http-",
            "netty-codec-http2-",
            "grpc-netty-",
            "vertx-core-",
            "helidon-webserver-",
            "http4k-",
            "ktor-server-",
            "catalina-");

    private final String protocol;
    private final Pattern names;

    KnownLibrary(String protocol, String... beginnings) {
        this.protocol = protocol;
        this.names = Pattern.compile("(?:" + String.join("|", beginnings) + ").*", Pattern.CASE_INSENSITIVE);
    }

    String protocol() {
        return protocol;
    }

    /** Those of the files' names that are such a library. */
    Set<String> in(Set<String> files) {
        Set<String> found = new TreeSet<>();
        for (String name : files) {
            if (names.matcher(name).matches()) {
                found.add(name);
            }
        }
        return found;
    }
}

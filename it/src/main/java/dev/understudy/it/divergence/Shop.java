package dev.understudy.it.divergence;

import dev.understudy.divergence.wire.http.Header;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * One instance of a service: what it says depends on the request, how it says so and what it makes up is its own. Two
 * instances with different seeds are two JVMs that do the same.
 */
final class Shop {
    /** What is noise in its replies, for people. */
    static final List<String> NOISE = List.of(
            "Date header",
            "Expires header",
            "Connection headers",
            "order of headers",
            "order within Vary",
            "session cookie",
            "UUID header",
            "trace id header",
            "host header",
            "time now, ISO 8601",
            "time now, milliseconds",
            "time in an hour, ISO 8601",
            "time in an hour, seconds",
            "local time without a zone",
            "UUID",
            "prefixed id",
            "short hexadecimal id",
            "signed token",
            "base64 nonce",
            "random number",
            "request counter",
            "generated key with gaps",
            "uptime",
            "host name",
            "rounded fractions",
            "order of a set",
            "order of members",
            "blanks",
            "level of compression",
            "XML prefixes",
            "CSRF token in a form");

    /** The members and headers that hold it. */
    static final Set<String> PLACES = Set.of(
            "requestId",
            "at",
            "tags",
            "token",
            "csrfToken",
            "expiresAt",
            "id",
            "reference",
            "createdAt",
            "host",
            "uptimeMillis",
            "requests",
            "mean",
            "sum",
            "nonce",
            "until",
            "local",
            "correlationId",
            "seed",
            "X-Request-Id",
            "X-Trace",
            "X-Served-By",
            "Expires",
            "Vary");

    static final int ROUTES = 10;

    private static final DateTimeFormatter HTTP_DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final Random own;
    private final String host;
    private long requests;
    private long keys;
    private long uptime;

    Shop(long seed, String host) {
        own = new Random(seed);
        this.host = host;
        requests = own.nextInt(1000);
        keys = 10_000L + own.nextInt(90_000);
        uptime = 1_000_000L * (1 + own.nextInt(50));
    }

    /** What was asked for the nth time, and is answered now. */
    static String request(int n) {
        int thing = thing(n);
        return switch (n % ROUTES) {
            case 0 -> "GET /orders/" + thing;
            case 1 -> "GET /session";
            case 2 -> "POST /orders";
            case 3 -> "GET /health";
            case 4 -> "GET /stats?of=" + thing;
            case 5 -> "GET /rates.xml";
            case 6 -> "GET /page/" + thing;
            case 7 -> "GET /export/" + thing;
            case 8 -> "GET /grant";
            default -> "GET /items?page=" + thing;
        };
    }

    /** A customer's id, which comes from the database. */
    static String customer(int number) {
        return UUID.nameUUIDFromBytes(("customer " + number).getBytes(StandardCharsets.UTF_8))
                .toString();
    }

    /** A product's id, likewise. */
    static String product(int number) {
        return HexFormat.of().formatHex(bytes("product " + number)).substring(0, 24);
    }

    /** A bank account's number, likewise. */
    static String account(int number) {
        return "DE" + new BigInteger(1, bytes("account " + number)).toString().substring(0, 20);
    }

    private static byte[] bytes(String text) {
        byte[] bytes = new byte[16];
        new Random(text.hashCode()).nextBytes(bytes);
        bytes[0] |= 0x40;
        return bytes;
    }

    private static int thing(int n) {
        return new Random(n / ROUTES).nextInt(40);
    }

    Sample answer(int n, Instant now) {
        requests++;
        uptime += 40L + own.nextInt(20);
        Random meant = new Random(thing(n) * 31L + n % ROUTES);
        String json = "application/json";
        return switch (n % ROUTES) {
            case 0 -> reply(n, now, json, order(meant, thing(n), now));
            case 1 -> reply(n, now, json, session(now));
            case 2 -> reply(n, now, json, created(new Random(n), thing(n), now));
            case 3 -> reply(n, now, json, health());
            case 4 -> reply(n, now, json, stats(meant));
            case 5 -> reply(n, now, "application/xml", rates(meant));
            case 6 -> reply(n, now, "text/html; charset=utf-8", page(meant));
            case 7 -> export(n, now, meant);
            case 8 -> reply(n, now, json, grant(now));
            default -> reply(n, now, json, items(meant));
        };
    }

    private String order(Random meant, int id, Instant now) {
        List<String> tags = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            tags.add("\"t" + i * 3 + meant.nextInt(3) + "\"");
        }
        Collections.shuffle(tags, own);
        return "{\"order\":" + id + ",\"total\":" + meant.nextInt(100_000) + ",\"currency\":\"EUR\",\"paid\":"
                + meant.nextBoolean() + ",\"lines\":[{\"sku\":\"A-" + meant.nextInt(99) + "\",\"quantity\":"
                + (1 + meant.nextInt(9)) + "},{\"sku\":\"B-" + meant.nextInt(99) + "\",\"quantity\":1}],\"tags\":"
                + tags
                + ",\"note\":null,\"buyer\":\"" + customer(id) + "\",\"seller\":\"" + customer(id + 1)
                + "\",\"iban\":\"" + account(id) + "\",\"requestId\":\"" + uuid() + "\",\"at\":\"" + now + "\"}";
    }

    private String session(Instant now) {
        return "{\"user\":\"ada\",\"roles\":[\"guest\",\"buyer\"],\"csrfToken\":\"" + base64(24) + "\",\"expiresAt\":\""
                + now.plusSeconds(3600) + "\",\"local\":\""
                + now.atOffset(ZoneOffset.UTC).toLocalDateTime().truncatedTo(ChronoUnit.MILLIS)
                + "\",\"correlationId\":\""
                + hex(5) + "\",\"limit\":50}";
    }

    private String created(Random meant, int customer, Instant now) {
        keys += 1 + own.nextInt(3);
        return "{\"id\":" + keys + ",\"reference\":\"run_" + hex(16) + "\",\"status\":\"OPEN\",\"customerId\":\""
                + customer(customer) + "\",\"total\":" + meant.nextInt(5000) + ",\"createdAt\":" + now.toEpochMilli()
                + "}";
    }

    private String health() {
        return "{\"status\":\"UP\",\"host\":\"" + host + "\",\"uptimeMillis\":" + uptime + ",\"requests\":" + requests
                + ",\"version\":\"4.2\"}";
    }

    private String stats(Random meant) {
        double sum = 0;
        List<Double> values = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            values.add(meant.nextInt(10_000) / 7.0);
        }
        Collections.shuffle(values, own); // as threads would add them up
        for (double value : values) {
            sum += value;
        }
        return "{\"count\":20,\"sum\":" + sum + ",\"mean\":" + sum / 20 + ",\"unit\":\"cents\"}";
    }

    private String rates(Random meant) {
        String prefix = own.nextBoolean() ? "r" : "ns" + own.nextInt(9);
        String day = "day=\"2026-11-20\"";
        String base = "base=\"EUR\"";
        return "<" + prefix + ":Rates xmlns:" + prefix + "=\"urn:rates\" "
                + (own.nextBoolean() ? day + " " + base : base + " " + day) + ">" + (own.nextBoolean() ? "\n  " : "")
                + "<"
                + prefix + ":Rate currency=\"USD\">1.0" + meant.nextInt(900) + "</" + prefix + ":Rate></" + prefix
                + ":Rates>";
    }

    private String page(Random meant) {
        return "<html>\n<h1>Order " + meant.nextInt(1000)
                + "</h1>\n<form>\n<input type=\"hidden\" name=\"_csrf\" value=\"" + uuid() + "\">\n</form>\n<p>Total: "
                + meant.nextInt(1000) + "</p>\n</html>\n";
    }

    private String grant(Instant now) {
        String payload = "{\"sub\":\"7\",\"jti\":\"" + uuid() + "\"}";
        String signed = Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString("{\"alg\":\"HS256\"}".getBytes(StandardCharsets.UTF_8))
                + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(payload.getBytes(StandardCharsets.UTF_8))
                + "."
                + base64(32).replace("+", "-").replace("/", "_").replace("=", "");
        return "{\"token\":\"" + signed + "\",\"nonce\":\"" + base64(18) + "\",\"seed\":"
                + (own.nextLong() >>> 1 | 1L << 60) + ",\"until\":" + (now.getEpochSecond() + 3600)
                + ",\"scope\":\"read\"}";
    }

    private String items(Random meant) {
        List<String> items = new ArrayList<>();
        String blank = own.nextBoolean() ? " " : "";
        for (int i = 0; i < 12; i++) {
            List<String> members = new ArrayList<>(List.of(
                    "\"sku\":" + blank + "\"S-" + meant.nextInt(999) + "\"",
                    "\"productId\":" + blank + "\"" + product(meant.nextInt(999)) + "\"",
                    "\"price\":" + blank + meant.nextInt(9999) + ".50",
                    "\"stock\":" + blank + meant.nextInt(50)));
            Collections.shuffle(members, own);
            items.add("{" + String.join(",", members) + "}");
        }
        return "{\"items\":[" + String.join("," + blank, items) + "],\"pages\":9}";
    }

    private Sample export(int n, Instant now, Random meant) {
        StringBuilder text = new StringBuilder("sku,cents\n");
        for (int i = 0; i < 60; i++) {
            text.append("S-").append(i).append(',').append(meant.nextInt(9999)).append('\n');
        }
        int level = 1 + own.nextInt(9);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out) {
            {
                def = new Deflater(level, true);
            }
        }) {
            gzip.write(text.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        Sample plain = reply(n, now, "text/csv", "");
        List<Header> headers = new ArrayList<>(plain.headers());
        headers.add(new Header("Content-Encoding", "gzip"));
        return plain.withHeaders(headers).withBody(out.toByteArray());
    }

    private Sample reply(int n, Instant now, String type, String body) {
        List<Header> headers = new ArrayList<>(List.of(
                new Header("Content-Type", type),
                new Header("Date", HTTP_DATE.format(now)),
                new Header("X-Request-Id", uuid()),
                new Header("X-Trace", hex(16)),
                new Header("X-Api-Version", "4")));
        switch (n % ROUTES) {
            case 1 -> headers.add(new Header("Set-Cookie", "SESSION=" + hex(16) + "; Path=/; HttpOnly"));
            case 3 -> headers.add(new Header("X-Served-By", host));
            case 5 -> headers.add(new Header("Expires", HTTP_DATE.format(now.plusSeconds(600))));
            case 9 -> {
                headers.add(new Header("Vary", own.nextBoolean() ? "Accept, Origin" : "Origin, Accept"));
                headers.add(new Header("Keep-Alive", "timeout=" + (5 + own.nextInt(9))));
                headers.add(new Header("Connection", "keep-alive"));
                Collections.shuffle(headers, own);
            }
            default -> {}
        }
        return new Sample(
                request(n), request(n), "HTTP/1.1 200 OK", headers, body.getBytes(StandardCharsets.UTF_8), false);
    }

    private String uuid() {
        long high = (own.nextLong() & ~0xF000L) | 0x4000L;
        long low = (own.nextLong() >>> 2) | Long.MIN_VALUE;
        return new UUID(high, low).toString();
    }

    private String hex(int bytes) {
        byte[] random = new byte[bytes];
        own.nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    private String base64(int bytes) {
        byte[] random = new byte[bytes];
        own.nextBytes(random);
        return Base64.getEncoder().encodeToString(random);
    }
}

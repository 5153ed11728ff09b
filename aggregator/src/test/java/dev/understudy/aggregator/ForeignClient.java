package dev.understudy.aggregator;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.BufferedSink;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.io.entity.InputStreamEntity;

/** Clients of HTTP that others wrote, each with its own idea of what a request looks like. */
@SuppressWarnings("ImmutableEnumChecker") // clients are, in all that matters
enum ForeignClient {
    JDK {
        private final HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build();

        @Override
        String ask(String url, Asked asked) throws Exception {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(60));
            byte[] body = asked.body.getBytes(StandardCharsets.UTF_8);
            request.method(
                    asked.method,
                    asked.body.isEmpty()
                            ? BodyPublishers.noBody()
                            : asked.chunked
                                    ? BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body))
                                    : BodyPublishers.ofByteArray(body));
            request.expectContinue(asked.expects);
            asked.headers.forEach(request::header);
            HttpResponse<byte[]> response = client.send(request.build(), BodyHandlers.ofByteArray());
            Map<String, String> headers = new TreeMap<>();
            response.headers().map().forEach((name, values) -> headers.put(name, values.toString()));
            return told(response.statusCode(), headers, response.body());
        }
    },
    OKHTTP {
        private final OkHttpClient client = new OkHttpClient.Builder()
                .protocols(List.of(Protocol.HTTP_1_1))
                .readTimeout(60, TimeUnit.SECONDS)
                .build();

        @Override
        String ask(String url, Asked asked) throws IOException {
            byte[] bytes = asked.body.getBytes(StandardCharsets.UTF_8);
            RequestBody body = new RequestBody() {
                @Override
                public MediaType contentType() {
                    return MediaType.get("text/plain");
                }

                @Override
                public long contentLength() {
                    return asked.chunked ? -1 : bytes.length;
                }

                @Override
                public void writeTo(BufferedSink sink) throws IOException {
                    sink.write(bytes);
                }
            };
            Request.Builder request =
                    new Request.Builder().url(url).method(asked.method, bytes.length == 0 ? null : body);
            asked.headers.forEach(request::header);
            if (asked.expects) {
                request.header("Expect", "100-continue");
            }
            try (Response response = client.newCall(request.build()).execute()) {
                Map<String, String> headers = new TreeMap<>();
                response.headers()
                        .names()
                        .forEach(
                                name -> headers.put(name, response.headers(name).toString()));
                return told(response.code(), headers, response.body().bytes());
            }
        }
    },
    APACHE {
        private final CloseableHttpClient client = HttpClients.custom()
                .disableCookieManagement() // both sides are asked by one client
                .build();

        @Override
        String ask(String url, Asked asked) throws IOException {
            HttpUriRequestBase request = new HttpUriRequestBase(asked.method, URI.create(url));
            byte[] bytes = asked.body.getBytes(StandardCharsets.UTF_8);
            if (asked.chunked) {
                request.setEntity(new InputStreamEntity(new ByteArrayInputStream(bytes), -1, ContentType.TEXT_PLAIN));
            } else if (bytes.length > 0) {
                request.setEntity(new ByteArrayEntity(bytes, ContentType.TEXT_PLAIN));
            }
            request.setConfig(RequestConfig.custom()
                    .setExpectContinueEnabled(asked.expects)
                    .build());
            asked.headers.forEach(request::addHeader);
            return client.execute(request, response -> {
                Map<String, String> headers = new TreeMap<>();
                for (Header header : response.getHeaders()) {
                    headers.merge(header.getName(), header.getValue(), (one, other) -> one + ", " + other);
                }
                byte[] body =
                        response.getEntity() == null ? new byte[0] : EntityUtils.toByteArray(response.getEntity());
                return told(response.getCode(), headers, body);
            });
        }
    },
    CURL {
        @Override
        String ask(String url, Asked asked) throws Exception {
            return curl(url, asked, "--http1.1");
        }
    },
    CURL_WITH_HTTP_1_0 {
        @Override
        String ask(String url, Asked asked) throws Exception {
            return curl(url, asked, "--http1.0");
        }
    };

    /** What to ask. */
    record Asked(
            String method, String path, Map<String, String> headers, String body, boolean chunked, boolean expects) {
        static Asked get(String path) {
            return new Asked("GET", path, Map.of(), "", false, false);
        }

        Asked with(String name, String value) {
            return new Asked(method, path, Map.of(name, value), body, chunked, expects);
        }

        static Asked post(String path, String body) {
            return new Asked("POST", path, Map.of(), body, false, false);
        }

        Asked inChunks() {
            return new Asked(method, path, headers, body, true, expects);
        }

        Asked expecting() {
            return new Asked(method, path, headers, body, chunked, true);
        }
    }

    /** Status, headers and body as this client tells them. */
    abstract String ask(String url, Asked asked) throws Exception;

    private static String told(int status, Map<String, String> headers, byte[] body) {
        return status + " " + headers + "\n" + new String(body, StandardCharsets.ISO_8859_1);
    }

    private static String curl(String url, Asked asked, String version) throws Exception {
        List<String> line = new ArrayList<>(List.of("curl", "-sS", "-i", "-L", "--compressed", "-m", "60", version));
        if (asked.method.equals("HEAD")) {
            line.add("-I");
        } else {
            line.addAll(List.of("-X", asked.method));
        }
        asked.headers.forEach((name, value) -> line.addAll(List.of("-H", name + ": " + value)));
        if (!asked.body.isEmpty()) {
            line.addAll(List.of("--data-binary", asked.body));
        }
        if (asked.chunked) {
            line.addAll(List.of("-H", "Transfer-Encoding: chunked"));
        }
        line.addAll(List.of("-H", asked.expects ? "Expect: 100-continue" : "Expect:", url));
        Path out = Files.createTempFile("curl", ".out");
        try {
            Process process = new ProcessBuilder(line)
                    .redirectErrorStream(true)
                    .redirectOutput(out.toFile())
                    .start();
            int code = process.waitFor();
            String told = Files.readString(out, StandardCharsets.ISO_8859_1);
            return code + "\n"
                    + told.replaceFirst("^HTTP/1.1 100 (?s:.*?)\r\n\r\n", ""); // ours is as good as the server's
        } finally {
            Files.delete(out);
        }
    }
}

package dev.understudy.it.fidelity.server;

import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.it.bench.process.Tool;
import dev.understudy.it.bench.subject.Nginx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/**
 * nginx with files, redirects, errors, compression and answers that tell the request's number; its log tells of every
 * request.
 */
public final class WebServer implements Server {
    private final Tool tool;
    private final int port;
    private final Path log;

    private WebServer(Tool tool, int port, Path log) {
        this.tool = tool;
        this.port = port;
        this.log = log;
    }

    public static WebServer start(Path folder) throws IOException {
        Path home = Files.createDirectories(folder.resolve("web"));
        Path files = Files.createDirectories(home.resolve("files"));
        Path log = home.resolve("log");
        Files.writeString(files.resolve("small.txt"), "small\n");
        Files.writeString(files.resolve("lines.txt"), "a line that comes often\n".repeat(5_000));
        Files.writeString(files.resolve("empty.txt"), "");
        Files.writeString(files.resolve("with space.txt"), "found\n");
        byte[] bytes = new byte[3 << 20];
        new Random(1).nextBytes(bytes);
        Files.write(files.resolve("bytes.bin"), bytes);
        int port = FreePorts.next();
        Tool tool = Nginx.http(home, List.of(), """
                log_format told '$connection $request_method $uri';
                types { text/plain txt; application/octet-stream bin; }
                gzip on; gzip_min_length 100; gzip_types text/plain;
                server {
                    listen 127.0.0.1:%1$d;
                    root %2$s;
                    access_log %3$s told;
                    absolute_redirect off;
                    location = /number { add_header X-Number $request_id; return 200 "$request_id\\n"; }
                    location = /told { return 200 "$request_method $args $http_accept $http_x_told \
                $content_length\\n"; }
                    location = /moved { return 302 /small.txt; }
                    location = /moved-for-good { return 301 http://$http_host/moved; }
                    location = /kept { return 308 /told; }
                    location = /nothing { return 204; }
                    location = /bad { return 400 "bad\\n"; }
                    location = /broken { return 500 "broken\\n"; }
                    location = /cookie { add_header Set-Cookie "a=1; Path=/"; add_header Set-Cookie "b=2; Path=/"; \
                return 200 "$http_cookie\\n"; }
                    location = /inner { access_log off; client_max_body_size 20m; return 200 "taken\\n"; }
                    location = /post { client_max_body_size 20m; client_body_buffer_size 64k; proxy_pass \
                http://127.0.0.1:%1$d/inner; }
                    location = /too-large { client_max_body_size 1k; proxy_pass http://127.0.0.1:%1$d/inner; }
                }
                """.formatted(port, files, log));
        return new WebServer(tool.awaitPort(port), port, log);
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public Census census() throws IOException {
        List<String> requests = Files.readAllLines(log);
        long connections =
                requests.stream().map(line -> line.split(" ", 2)[0]).distinct().count();
        return new Census(connections, requests.size());
    }

    @Override
    public void close() {
        tool.close();
    }
}

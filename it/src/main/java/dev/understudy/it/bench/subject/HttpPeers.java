package dev.understudy.it.bench.subject;

import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.it.bench.process.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What else copies HTTP requests: nginx, which proxies and mirrors, and goreplay, which listens in. */
public final class HttpPeers {
    private HttpPeers() {}

    /**
     * nginx as a reverse proxy with connections to production that are kept.
     *
     * @param copy where each request is mirrored to; 0 for no mirror
     */
    public static Subject nginxMirror(Path folder, Backends backends, String name, int copy) throws IOException {
        int port = FreePorts.next();
        Tool tool = Nginx.http(folder.resolve(name.replace(' ', '-')), List.of(), """
                client_body_buffer_size 1m;
                proxy_http_version 1.1;
                proxy_set_header Connection "";
                upstream production { server 127.0.0.1:%2$d; keepalive 256; keepalive_requests 1000000000; }
                upstream copy { server 127.0.0.1:%3$d; keepalive 256; keepalive_requests 1000000000; }
                server {
                    listen 127.0.0.1:%1$d backlog=4096;
                    location / { %4$s proxy_pass http://production; }
                    location = /mirror { internal; proxy_pass http://copy$request_uri; }
                }
                """.formatted(
                        port, backends.web(), copy == 0 ? backends.dead() : copy, copy == 0 ? "" : "mirror /mirror;"))
                .awaitPort(port);
        return new Subject(name, port, backends.redis(), List.of(tool), "");
    }

    /** Clients go straight to a production of its own; goreplay copies what it sees on the interface. */
    public static Subject goreplay(Path folder, Backends backends, String name, String program, int copy)
            throws IOException {
        Path home = Files.createDirectories(folder.resolve(name.replace(' ', '-')));
        int web = backends.anotherWeb(name.replace(' ', '-') + "-production");
        Tool tool = Tool.start(
                home,
                List.of(
                        program,
                        "--input-raw",
                        "127.0.0.1:" + web,
                        "--output-http",
                        "http://127.0.0.1:" + copy,
                        "--verbose",
                        "1"));
        tool.awaitOutput("Interface");
        return new Subject(name, web, backends.redis(), List.of(tool), "");
    }
}

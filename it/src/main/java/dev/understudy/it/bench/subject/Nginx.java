package dev.understudy.it.bench.subject;

import dev.understudy.it.bench.process.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts nginx with one worker, all its files in a folder of its own. */
public final class Nginx {
    private Nginx() {}

    /**
     * One that serves HTTP.
     *
     * @param before words that the command begins with, such as those that enter a namespace
     * @param settings of its {@code http} part, beside those that keep connections open and its files in {@code home}
     */
    public static Tool http(Path home, List<String> before, String settings) throws IOException {
        return start(home, before, "", """
                http {
                    access_log off;
                    sendfile on;
                    keepalive_requests 1000000000;
                    client_max_body_size 1g;
                    client_body_temp_path %1$s/body;
                    proxy_temp_path %1$s/proxy;
                    fastcgi_temp_path %1$s/fastcgi;
                    uwsgi_temp_path %1$s/uwsgi;
                    scgi_temp_path %1$s/scgi;
                %2$s
                }
                """.formatted(home, settings));
    }

    /** One that passes TCP through; {@code servers} are those of its {@code stream} part. */
    public static Tool stream(Path home, String servers) throws IOException {
        String module = "load_module /usr/lib/nginx/modules/ngx_stream_module.so;";
        return start(home, List.of(), module, "stream {\n" + servers + "\n}\n");
    }

    private static Tool start(Path home, List<String> before, String first, String part) throws IOException {
        Path settings = Files.createDirectories(home).resolve("nginx.conf");
        Files.writeString(settings, """
                %2$s
                daemon off;
                worker_processes 1;
                error_log %1$s/error.log crit;
                pid %1$s/pid;
                user root;
                events { worker_connections 8192; }
                %3$s
                """.formatted(home, first, part));
        List<String> command = new ArrayList<>(before);
        command.addAll(List.of("nginx", "-p", home.toString(), "-c", settings.toString()));
        return Tool.start(home, command);
    }
}

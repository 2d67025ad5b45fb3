package io.plat.tests.load;

import io.plat.tests.process.ForeignServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Nginx with the same certificates, which sends the same body for every request. */
record NginxTarget(Process master, int port) implements Target {
    /**
     * Starts it.
     *
     * @param body the body, without quotes and dollar signs, which nginx would interpret
     */
    static NginxTarget start(TestPki pki, Path directory, String body) throws IOException {
        int port = ForeignServer.freePort();
        Path config = Files.writeString(directory.resolve("nginx.conf"), """
                daemon off;
                worker_processes auto;
                error_log %1$s/nginx.err;
                pid %1$s/nginx.pid;
                events { worker_connections 1024; }
                http {
                  access_log off;
                  client_body_temp_path %1$s/body;
                  proxy_temp_path %1$s/proxy;
                  fastcgi_temp_path %1$s/fastcgi;
                  uwsgi_temp_path %1$s/uwsgi;
                  scgi_temp_path %1$s/scgi;
                  keepalive_requests 1000000000;
                  server {
                    listen 127.0.0.1:%2$d ssl http2;
                    ssl_certificate %3$s;
                    ssl_certificate_key %4$s;
                    ssl_client_certificate %5$s;
                    ssl_verify_client on;
                    ssl_protocols TLSv1.3;
                    location / { default_type application/json; return 200 '%6$s'; }
                  }
                }
                """.formatted(
                        directory, port, pki.file("server.crt"), pki.file("server.key"), pki.file("ca.crt"), body));
        Process master = new ProcessBuilder("nginx", "-c", config.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("nginx.out").toFile())
                .start();
        ForeignServer.awaitOn(port, "nginx", master, directory.resolve("nginx.out"));
        return new NginxTarget(master, port);
    }

    @Override
    public String name() {
        return "nginx";
    }

    @Override
    public long[] pids() {
        return master.descendants().mapToLong(ProcessHandle::pid).toArray();
    }

    @Override
    public void close() {
        master.destroy();
    }
}

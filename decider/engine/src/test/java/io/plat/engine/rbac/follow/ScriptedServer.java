package io.plat.engine.rbac.follow;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A server with scripted responses, which records the requests. */
final class ScriptedServer implements Transport {
    static final String JSON = "application/json";

    final List<String> requests = new ArrayList<>();
    final List<Duration> silences = new ArrayList<>();
    private final Deque<Reply> replies = new ArrayDeque<>();
    private int open;

    /** A response. */
    @FunctionalInterface
    private interface Reply {
        Answer make() throws IOException;
    }

    ScriptedServer answers(int code, String type, byte[] body) {
        return streams(code, type, new ByteArrayInputStream(body));
    }

    ScriptedServer answers(int code, String type, String body) {
        return answers(code, type, body.getBytes(StandardCharsets.UTF_8));
    }

    /** A 200 response with JSON. */
    ScriptedServer answers(String body) {
        return answers(200, JSON, body);
    }

    /** A watch in JSON that sends events and then ends normally. */
    ScriptedServer watches(String... events) {
        return answers(events.length == 0 ? "" : String.join("\n", events) + "\n");
    }

    /** A watch in JSON that sends events and is then cut off. */
    ScriptedServer cut(String... events) {
        InputStream begin = new ByteArrayInputStream(
                (events.length == 0 ? "" : String.join("\n", events) + "\n").getBytes(StandardCharsets.UTF_8));
        return streams(200, JSON, new SequenceInputStream(begin, new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("cut");
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                throw new IOException("cut");
            }
        }));
    }

    ScriptedServer streams(int code, String type, InputStream body) {
        replies.add(() -> {
            open++;
            return new Scripted(code, type, Duration.ZERO, body, () -> open--);
        });
        return this;
    }

    ScriptedServer refuses(int code, Duration retryAfter) {
        byte[] body = "{\"kind\":\"Status\",\"message\":\"not now\",\"code\":%d}"
                .formatted(code)
                .getBytes(StandardCharsets.UTF_8);
        replies.add(() -> {
            open++;
            return new Scripted(code, JSON, retryAfter, new ByteArrayInputStream(body), () -> open--);
        });
        return this;
    }

    ScriptedServer fails(IOException failure) {
        replies.add(() -> {
            throw failure;
        });
        return this;
    }

    /** Returns the number of unclosed responses. */
    int open() {
        return open;
    }

    @Override
    public Answer get(String target, Duration silence) throws IOException {
        requests.add(target.replaceFirst("^/apis/rbac.authorization.k8s.io/v1/", ""));
        silences.add(silence);
        Reply reply = replies.poll();
        if (reply == null) {
            throw new AssertionError("not in the script: " + target);
        }
        return reply.make();
    }

    private record Scripted(int code, String contentType, Duration retryAfter, InputStream body, Runnable closing)
            implements Answer {
        @Override
        public void close() {
            closing.run();
        }
    }
}

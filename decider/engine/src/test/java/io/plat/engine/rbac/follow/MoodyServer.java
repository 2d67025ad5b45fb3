package io.plat.engine.rbac.follow;

import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacSubject;
import io.plat.engine.rbac.RoleRef;
import io.plat.engine.rbac.served.AsJson;
import io.plat.engine.rbac.served.RandomRoles;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * An API server in memory: versions, chunked lists of one state, watches over a bounded history. It changes at random, and while it is
 * moody it shows all failures of servers and networks.
 */
final class MoodyServer implements Transport {
    private static final int CHUNK = 3;

    private final Random random;
    private final RandomRoles roles;
    private final List<Change> history = new ArrayList<>();
    private final Map<RbacKind, Map<ObjectKey, RbacObject>> state = new EnumMap<>(RbacKind.class);
    private final Map<RbacKind, Set<Set<RbacObject>>> states = new EnumMap<>(RbacKind.class);
    private final Map<String, List<RbacObject>> chunks = new HashMap<>();
    private final Set<RbacKind> cutOnce = new HashSet<>();
    private int version = 100_000;
    private int floor = 100_000;
    private boolean moody = true;

    private record Change(int version, String type, RbacObject object) {}

    MoodyServer(long seed) {
        random = new Random(seed);
        roles = new RandomRoles(seed);
        for (RbacKind kind : RbacKind.values()) {
            state.put(kind, new TreeMap<>());
            states.put(kind, new HashSet<>());
            remember(kind);
        }
        change(10);
    }

    /** Stops failing. */
    void calm() {
        moody = false;
    }

    Set<RbacObject> objects(RbacKind kind) {
        return Set.copyOf(of(kind).values());
    }

    /** Returns whether these were all objects of a type at some time. */
    boolean everHad(RbacKind kind, Set<RbacObject> objects) {
        Set<Set<RbacObject>> known = states.get(kind);
        return known != null && known.contains(objects);
    }

    private Map<ObjectKey, RbacObject> of(RbacKind kind) {
        Map<ObjectKey, RbacObject> objects = state.get(kind);
        if (objects == null) {
            throw new AssertionError(kind);
        }
        return objects;
    }

    private void remember(RbacKind kind) {
        Set<Set<RbacObject>> known = states.get(kind);
        if (known != null) {
            known.add(objects(kind));
        }
    }

    void change(int times) {
        for (int i = 0; i < times; i++) {
            RbacKind kind = List.of(RbacKind.values()).get(random.nextInt(4));
            Map<ObjectKey, RbacObject> objects = of(kind);
            version += 1 + random.nextInt(3);
            if (objects.isEmpty() || random.nextInt(3) == 0) {
                put("ADDED", roles.next(kind));
            } else {
                ObjectKey key = List.copyOf(objects.keySet()).get(random.nextInt(objects.size()));
                RbacObject old = objects.get(key);
                if (old != null && random.nextBoolean()) {
                    objects.remove(key);
                    history.add(new Change(version, "DELETED", old));
                } else {
                    put("MODIFIED", changed(key));
                }
            }
            remember(kind);
        }
        if (random.nextInt(4) == 0) {
            floor = Math.max(floor, version - random.nextInt(10));
            history.removeIf(change -> change.version <= floor);
        }
    }

    /** Restores an earlier state, as from a backup. */
    void restore() {
        version -= 1000;
        floor = version;
        history.clear();
        chunks.clear();
        cutOnce.addAll(List.of(RbacKind.values()));
        for (RbacKind kind : RbacKind.values()) {
            of(kind).keySet().removeIf(key -> random.nextBoolean());
            remember(kind);
        }
    }

    private void put(String type, RbacObject object) {
        of(object.key().kind()).put(object.key(), object);
        history.add(new Change(version, type, object));
    }

    private RbacObject changed(ObjectKey key) {
        return key.kind().isRole()
                ? new RbacRole(key, Map.of("changed", "" + version), List.of(), null, null)
                : new RbacBinding(
                        key, List.of(RbacSubject.user("u" + version)), new RoleRef("", "ClusterRole", "", "r"), null);
    }

    @Override
    public Answer get(String target, Duration silence) throws IOException {
        RbacKind kind = List.of(RbacKind.values()).stream()
                .filter(candidate -> target.contains("/" + candidate.resource() + "?"))
                .findFirst()
                .orElseThrow();
        if (cutOnce.remove(kind) || mood(8)) {
            throw new ConnectException("away");
        }
        if (mood(10)) {
            return answer(500 + random.nextInt(4), new byte[0]);
        }
        return target.contains("watch=1") ? watch(kind, target) : list(kind, target);
    }

    private boolean mood(int oneIn) {
        return moody && random.nextInt(oneIn) == 0;
    }

    private Answer list(RbacKind kind, String target) {
        String token = parameter(target, "continue");
        List<RbacObject> left = token.isEmpty() ? List.copyOf(of(kind).values()) : chunks.get(token);
        String listed = token.isEmpty() ? "" + version : token.substring(token.lastIndexOf('-') + 1);
        if (left == null || (!token.isEmpty() && mood(4))) {
            return answer(410, new byte[0]);
        }
        boolean whole = parameter(target, "limit").equals("0") || left.size() <= CHUNK;
        List<RbacObject> page = whole ? left : left.subList(0, CHUNK);
        String next = whole ? "" : kind + "-" + chunks.size() + "-" + listed;
        chunks.put(next, left.subList(page.size(), left.size()));
        byte[] body = AsJson.page(kind.kind(), listed, next, page).getBytes(StandardCharsets.UTF_8);
        return mood(6) ? cut(body) : answer(200, body);
    }

    private Answer watch(RbacKind kind, String target) {
        int from = Integer.parseInt(parameter(target, "resourceVersion"));
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        if (from < floor) {
            if (random.nextBoolean()) {
                return answer(410, new byte[0]);
            }
            write(stream, AsJson.error(410, "Expired", "old"));
            return answer(200, stream.toByteArray());
        }
        for (Change change : history) {
            if (change.version > from && change.object.key().kind() == kind) {
                if (mood(30)) {
                    write(stream, "garbage");
                }
                write(stream, AsJson.event(change.type, "" + change.version, change.object));
            }
        }
        if (random.nextBoolean()) {
            write(stream, AsJson.bookmark(kind.kind(), "" + version));
        }
        return mood(3) ? cut(stream.toByteArray()) : answer(200, stream.toByteArray());
    }

    private static void write(ByteArrayOutputStream stream, String line) {
        stream.writeBytes((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static String parameter(String target, String name) {
        int start = target.indexOf(name + "=");
        if (start < 0) {
            return "";
        }
        int end = target.indexOf('&', start);
        return target.substring(start + name.length() + 1, end < 0 ? target.length() : end);
    }

    private Answer cut(byte[] body) {
        InputStream begin = new ByteArrayInputStream(body, 0, random.nextInt(body.length + 1));
        return answer(200, new SequenceInputStream(begin, new InputStream() {
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

    private Answer answer(int code, byte[] body) {
        return answer(code, new ByteArrayInputStream(body));
    }

    private Answer answer(int code, InputStream body) {
        return new Received(code, ScriptedServer.JSON, body);
    }

    private record Received(int code, String contentType, InputStream body) implements Answer {
        @Override
        public Duration retryAfter() {
            return Duration.ZERO;
        }

        @Override
        public void close() {}
    }
}

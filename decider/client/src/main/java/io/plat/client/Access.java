package io.plat.client;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The attributes of a request: a user, and a verb on a resource or on a path. Immutable. Equal attributes are equal requests, whose answers may
 * be shared.
 *
 * <pre>{@code
 * Access.resource("get", "apps", "deployments").in("team-a").named("web").by("alice", "developers")
 * Access.path("get", "/reports/2026").by("alice")
 * }</pre>
 */
public final class Access implements Comparable<Access> {
    /** Names of the members of a review, in order. */
    static final List<String> RESOURCE =
            List.of("namespace", "verb", "group", "version", "resource", "subresource", "name");

    static final List<String> PATH = List.of("path", "verb");

    private static final User NOBODY = new User("", "", List.of(), new TreeMap<>());

    private final User user;
    private final List<String> names;
    private final String[] values;
    private final int hash;

    /**
     * A user.
     *
     * @param name the user name
     * @param uid a unique identifier across renames, or {@code ""}
     * @param groups all groups; none is implied
     * @param extra additional information, by key
     */
    record User(String name, String uid, List<String> groups, SortedMap<String, List<String>> extra) {
        User {
            Objects.requireNonNull(name);
            Objects.requireNonNull(uid);
            groups = List.copyOf(groups);
            // Sorted by key: equal requests are equal bytes, and keys of equal hash codes do not slow it down.
            SortedMap<String, List<String>> copy = new TreeMap<>();
            extra.forEach((key, texts) -> copy.put(key, List.copyOf(texts)));
            extra = Collections.unmodifiableSortedMap(copy);
        }
    }

    private Access(User user, List<String> names, String... values) {
        this.user = user;
        this.names = names;
        this.values = values;
        this.hash = 31 * user.hashCode() + Arrays.hashCode(values);
    }

    /**
     * Returns access to a resource of the whole cluster, or of all namespaces, without a user.
     *
     * @param verb such as {@code get}, {@code list} or {@code create}
     * @param group the API group, {@code ""} for the core group
     * @param resource in the plural, such as {@code pods}, with a subresource behind a slash, such as {@code pods/log}
     */
    public static Access resource(String verb, String group, String resource) {
        int slash = resource.indexOf('/');
        String type = slash < 0 ? resource : resource.substring(0, slash);
        return new Access(
                NOBODY,
                RESOURCE,
                "",
                Objects.requireNonNull(verb),
                Objects.requireNonNull(group),
                "",
                type,
                slash < 0 ? "" : resource.substring(slash + 1),
                "");
    }

    /**
     * Returns access to a non-resource path, without a user.
     *
     * @param verb the HTTP method in lower case
     */
    public static Access path(String verb, String path) {
        return new Access(NOBODY, PATH, Objects.requireNonNull(path), Objects.requireNonNull(verb));
    }

    private Access with(String name, String value) {
        int index = names.indexOf(name);
        if (index < 0) {
            throw new IllegalStateException("a path has no " + name);
        }
        String[] copy = values.clone();
        copy[index] = Objects.requireNonNull(value);
        return new Access(user, names, copy);
    }

    /**
     * Returns the same access in a namespace.
     *
     * @throws IllegalStateException for a path, as in the next two methods
     */
    public Access in(String namespace) {
        return with("namespace", namespace);
    }

    /** Returns the same access to one object. */
    public Access named(String name) {
        return with("name", name);
    }

    /** Returns the same access in a version of the API, which is informative. */
    public Access version(String version) {
        return with("version", version);
    }

    /** Returns the same access by a user with exactly these groups. */
    public Access by(String name, String... groups) {
        return by(name, "", List.of(groups), Map.of());
    }

    /**
     * Returns the same access by a user.
     *
     * @param uid a unique identifier across renames, or {@code ""}
     * @param groups all groups; {@code system:authenticated} is not implied
     * @param extra additional information, by key
     */
    public Access by(String name, String uid, List<String> groups, Map<String, List<String>> extra) {
        return new Access(new User(name, uid, groups, new TreeMap<>(extra)), names, values);
    }

    User user() {
        return user;
    }

    /** Returns the names of {@link #value}s. */
    List<String> names() {
        return names;
    }

    String value(int index) {
        return values[index];
    }

    /** Returns the number of characters of all texts. */
    int characters() {
        int sum = user.name.length() + user.uid.length() + characters(user.groups) + characters(Arrays.asList(values));
        for (Map.Entry<String, List<String>> extra : user.extra.entrySet()) {
            sum += extra.getKey().length() + characters(extra.getValue());
        }
        return sum;
    }

    private static int characters(List<String> texts) {
        // The header of a string and the reference to it, as characters.
        return texts.stream().mapToInt(text -> 28 + text.length()).sum();
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof Access access
                        && hash == access.hash
                        && Arrays.equals(values, access.values)
                        && user.equals(access.user));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** Compares all strings, in an arbitrary order. */
    @Override
    public int compareTo(Access other) {
        int order = Arrays.compare(values, other.values);
        order = order != 0 ? order : user.name.compareTo(other.user.name);
        order = order != 0 ? order : user.uid.compareTo(other.user.uid);
        order = order != 0 ? order : compare(user.groups, other.user.groups);
        order = order != 0 ? order : compare(List.copyOf(user.extra.keySet()), List.copyOf(other.user.extra.keySet()));
        for (String key : user.extra.keySet()) {
            order = order != 0
                    ? order
                    : compare(user.extra.getOrDefault(key, List.of()), other.user.extra.getOrDefault(key, List.of()));
        }
        return order;
    }

    private static int compare(List<String> one, List<String> other) {
        return Arrays.compare(one.toArray(String[]::new), other.toArray(String[]::new));
    }

    @Override
    public String toString() {
        return "Access[" + user.name + " " + String.join(" ", values) + "]";
    }
}

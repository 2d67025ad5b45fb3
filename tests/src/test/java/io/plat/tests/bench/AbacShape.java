package io.plat.tests.bench;

import io.plat.engine.abac.AbacLine;
import io.plat.engine.abac.AbacPolicy;
import io.plat.review.Attributes;
import io.plat.review.source.Location;
import java.util.ArrayList;
import java.util.List;

/** Distributions of lines. */
public enum AbacShape {
    /** Each line has its own user and namespace. */
    SPREAD("user-%d", "ns-%d", "pods"),
    /** All lines have one namespace, each its own user. */
    ONE_NAMESPACE("user-%d", "shared", "pods"),
    /** All lines have one user, each its own namespace. */
    ONE_SUBJECT("jane", "ns-%d", "pods"),
    /** All lines have one user and one namespace, each its own resource. */
    MANY_RESOURCES("jane", "shared", "kind-%d");

    private final String user;
    private final String namespace;
    private final String resource;

    AbacShape(String user, String namespace, String resource) {
        this.user = user;
        this.namespace = namespace;
        this.resource = resource;
    }

    private static String numbered(String name, int i) {
        return name.replace("%d", Integer.toString(i));
    }

    /** Returns the request that the line with this number allows. */
    Attributes request(int i) {
        return Sizes.get(numbered(user, i), numbered(namespace, i), numbered(resource, i));
    }

    /** Returns a policy with this many lines. */
    public AbacPolicy policy(int size) {
        List<AbacLine> lines = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            lines.add(new AbacLine(
                    new Location("policy", i + 1),
                    "",
                    numbered(user, i),
                    "",
                    false,
                    "",
                    numbered(namespace, i),
                    numbered(resource, i),
                    ""));
        }
        return new AbacPolicy(lines);
    }
}

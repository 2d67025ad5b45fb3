package io.plat.engine.access;

/** Subresources of a resource. A policy line grants all of them, a rule only those that it names. */
@FunctionalInterface
public interface Subresources {
    /** Any string, as in decisions of policy lines. */
    Subresources ANY = resource -> Values.ALL;

    /** Returns the subresources of a resource, including {@code ""} for the resource itself. */
    Values of(String resource);
}

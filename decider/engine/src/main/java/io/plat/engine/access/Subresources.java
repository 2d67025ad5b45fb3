package io.plat.engine.access;

/** The subresources that a resource has, of which a policy line grants every one and a rule those that it names. */
@FunctionalInterface
public interface Subresources {
    /** Any string, as lines decide. */
    Subresources ANY = resource -> Values.ALL;

    /** Returns the subresources of a resource; {@code ""}, which is the resource itself, is one of them. */
    Values of(String resource);
}

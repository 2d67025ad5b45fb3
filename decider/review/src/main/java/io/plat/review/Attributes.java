package io.plat.review;

import java.util.Objects;

/**
 * The question that an authorizer answers: may this user do this? It is also the whole of a review's spec, so that equal
 * attributes are equal questions and one value serves as the key of a cache.
 *
 * @param user who
 * @param access what
 */
public record Attributes(UserInfo user, AccessAttributes access) {
    public Attributes {
        Objects.requireNonNull(user);
        Objects.requireNonNull(access);
    }
}

package io.plat.review;

import java.util.Objects;

/**
 * The attributes of a request that an authorizer decides. They are also the whole spec of a review, so that equal attributes are equal requests,
 * and can be the key of a cache.
 *
 * @param user the user
 * @param access the requested access
 */
public record Attributes(UserInfo user, AccessAttributes access) {
    public Attributes {
        Objects.requireNonNull(user);
        Objects.requireNonNull(access);
    }
}

package io.plat.engine.union;

import io.plat.engine.Authorizer;
import java.util.Objects;

/**
 * An authorizer in a union.
 *
 * @param name what messages call it, as {@code --authorization-mode} writes it
 * @param authorizer decides
 */
public record Member(String name, Authorizer authorizer) {
    public Member {
        Objects.requireNonNull(name);
        Objects.requireNonNull(authorizer);
    }
}

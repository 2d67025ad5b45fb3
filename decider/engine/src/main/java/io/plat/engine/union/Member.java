package io.plat.engine.union;

import io.plat.engine.Authorizer;

/**
 * An authorizer in a union.
 *
 * @param name its name in messages, as in {@code --authorization-mode}
 * @param authorizer the authorizer
 */
public record Member(String name, Authorizer authorizer) {}

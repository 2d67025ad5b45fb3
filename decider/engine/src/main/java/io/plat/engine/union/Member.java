package io.plat.engine.union;

import io.plat.engine.Authorizer;

/**
 * An authorizer in a union.
 *
 * @param name its name in messages, as in {@code --authorization-mode}
 */
public record Member(String name, Authorizer authorizer) {}

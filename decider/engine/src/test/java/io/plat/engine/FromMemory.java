package io.plat.engine;

import io.plat.review.Attributes;
import org.jspecify.annotations.Nullable;

/** An authorizer that decides from memory like a given one. */
public record FromMemory(Authorizer authorizer) implements Authorizer {
    @Override
    public Decision authorize(Attributes attributes) {
        return authorizer.authorize(attributes);
    }

    @Override
    public @Nullable Decision decideFromMemory(Attributes attributes) {
        return authorizer.authorize(attributes);
    }
}

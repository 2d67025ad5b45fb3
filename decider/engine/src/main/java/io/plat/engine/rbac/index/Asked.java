package io.plat.engine.rbac.index;

import io.plat.review.NonResourceAttributes;
import org.jspecify.annotations.Nullable;

/** What one decision looks for in every set of permissions. */
sealed interface Asked permits Question, Asked.OnPath {
    /** A rule that covers it, or null. */
    @Nullable
    CompiledRule findIn(Permissions permissions);

    /** A verb on a path. */
    record OnPath(NonResourceAttributes request) implements Asked {
        @Override
        public @Nullable CompiledRule findIn(Permissions permissions) {
            return permissions.find(request);
        }
    }
}

package io.plat.engine.explain;

import io.plat.engine.Authorizer;
import java.util.List;
import java.util.Objects;

/** An authorizer that allows what any of its parts allows, and nothing else by policy. */
public interface CompositeAuthorizer {
    /** The parts as they are now. */
    List<Part> parts();

    /**
     * A part.
     *
     * @param name its name in responses
     * @param authorizer the authorizer
     */
    record Part(String name, Authorizer authorizer) {
        public Part {
            Objects.requireNonNull(name);
            Objects.requireNonNull(authorizer);
        }
    }
}

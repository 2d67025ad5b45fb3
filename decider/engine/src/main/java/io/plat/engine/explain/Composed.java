package io.plat.engine.explain;

import io.plat.engine.Authorizer;
import java.util.List;
import java.util.Objects;

/** An authorizer that allows what any of its parts allows, and besides them nothing that a policy says. */
public interface Composed {
    /** The parts as they are now. */
    List<Part> parts();

    /**
     * A part.
     *
     * @param name what answers call it
     * @param authorizer decides
     */
    record Part(String name, Authorizer authorizer) {
        public Part {
            Objects.requireNonNull(name);
            Objects.requireNonNull(authorizer);
        }
    }
}

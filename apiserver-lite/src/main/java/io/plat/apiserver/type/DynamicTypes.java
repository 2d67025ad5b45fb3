package io.plat.apiserver.type;

import java.util.List;
import java.util.Optional;

/** Custom types, served in addition to the catalog, which change at run time. Thread-safe. */
public interface DynamicTypes {
    DynamicTypes NONE = () -> State.NONE;

    State now();

    /** Registers a listener that is notified after each change; it must return immediately and not throw. */
    default Subscription listen(Runnable listener) {
        return () -> {};
    }

    /** Types at one time; replaced by another instance on changes. Immutable. */
    interface State {
        State NONE = new State() {
            @Override
            public Optional<ResourceType> find(String group, String version, String resource) {
                return Optional.empty();
            }

            @Override
            public List<String> groups() {
                return List.of();
            }

            @Override
            public List<String> versions(String group) {
                return List.of();
            }

            @Override
            public List<ResourceType> types(String group, String version) {
                return List.of();
            }

            @Override
            public List<ResourceType> stored() {
                return List.of();
            }
        };

        /** Returns the type that a path names, if it is served. */
        Optional<ResourceType> find(String group, String version, String resource);

        /** Returns whether a type that was found before is still served in the same form. */
        default boolean isCurrent(ResourceType type) {
            return true;
        }

        /** Returns the groups in the order of discovery. */
        List<String> groups();

        /** Returns the versions of a group, the preferred one first. */
        List<String> versions(String group);

        /** Returns the types of a group version: the same list while they are unchanged. */
        List<ResourceType> types(String group, String version);

        /** Returns one version of each stored type, whether or not it is currently served. */
        List<ResourceType> stored();
    }
}

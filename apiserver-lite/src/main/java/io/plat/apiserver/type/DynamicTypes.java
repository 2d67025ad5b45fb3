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
        State NONE = new State() {};

        /** Returns the type that a path names, if it is served. */
        default Optional<ResourceType> find(String group, String version, String resource) {
            return Optional.empty();
        }

        /** Returns whether a type that was found before is still served in the same form. */
        default boolean isCurrent(ResourceType type) {
            return true;
        }

        /** Returns the groups in the order of discovery. */
        default List<String> groups() {
            return List.of();
        }

        /** Returns the versions of a group, the preferred one first. */
        default List<String> versions(String group) {
            return List.of();
        }

        /** Returns the types of a group version: the same list while they are unchanged. */
        default List<ResourceType> types(String group, String version) {
            return List.of();
        }

        /** Returns one version of each stored type, whether or not it is currently served. */
        default List<ResourceType> stored() {
            return List.of();
        }
    }
}

package io.plat.apiserver.type;

import java.util.List;
import java.util.Optional;

/** Types that are served beside those of the catalog, and change while the server runs. For any number of threads. */
public interface FurtherTypes {
    /** There are none. */
    FurtherTypes NONE = () -> State.NONE;

    /** Those that there are now. */
    State now();

    /** Has somebody told, after each change, that there are others; the call must return at once and not throw. */
    default Listening listen(Runnable listener) {
        return () -> {};
    }

    /** Those that there were at one time; another object, by identity, once there are others. Immutable. */
    interface State {
        /** There are none. */
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

        /** The type that a path names, if it is served. */
        Optional<ResourceType> find(String group, String version, String resource);

        /** The groups, in the order of discovery. */
        List<String> groups();

        /** The versions of a group, the preferred one first. */
        List<String> versions(String group);

        /** The types of a group version: the same list for as long as they are the same. */
        List<ResourceType> types(String group, String version);

        /** One version of each type whose objects are stored, whether or not it is served at present. */
        List<ResourceType> stored();
    }
}

package io.plat.cli.question;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Further resource types besides the built-in ones, such as those of a server's custom resource definitions. Requested on demand. */
public interface AdditionalTypes {
    AdditionalTypes NONE = group -> List.of();

    /**
     * The types of a group, or all.
     *
     * @param group the API group, null for every group
     */
    List<ResourceType> types(@Nullable String group);

    /** The type that a word means. */
    default Optional<ResourceType> find(String word, @Nullable String group) {
        return types(group).stream().filter(type -> type.isCalled(word)).findFirst();
    }
}

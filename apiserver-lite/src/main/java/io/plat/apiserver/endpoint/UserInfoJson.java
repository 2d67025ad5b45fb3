package io.plat.apiserver.endpoint;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.review.UserInfo;
import java.util.TreeMap;

/** A user as {@code authentication.k8s.io/v1} writes one. */
final class UserInfoJson {
    private UserInfoJson() {}

    static void write(UserInfo user, ObjectNode into) {
        into.put("username", user.name());
        if (!user.uid().isEmpty()) {
            into.put("uid", user.uid());
        }
        if (!user.groups().isEmpty()) {
            ArrayNode groups = into.putArray("groups");
            user.groups().forEach(groups::add);
        }
        if (!user.extra().isEmpty()) {
            ObjectNode extra = into.putObject("extra");
            new TreeMap<>(user.extra()).forEach((key, values) -> {
                ArrayNode array = extra.putArray(key);
                values.forEach(array::add);
            });
        }
    }
}

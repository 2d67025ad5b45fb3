package io.plat.apiserver;

import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagSet;

/** The flags about role objects. */
final class RoleFlags {
    final Flag<Boolean> defaults;

    RoleFlags(FlagSet flags) {
        flags.group("Authorization");
        defaults = flags.toggle(
                "authorization-rbac-default-roles",
                true,
                "Make and complete the default roles and bindings at the start, such as cluster-admin, edit and view.");
    }
}

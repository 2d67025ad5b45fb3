package io.plat.apiserver.resource;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Validation of the security contexts of a pod and of its containers, with the messages of kube-apiserver. */
final class PodSecurityCheck {
    private static final int LONGEST_SYSCTL = 253;
    private static final String SYSCTL = "^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";
    private static final int LONGEST_PROFILE = 4095;
    private static final List<String> PROFILES = List.of("Localhost", "RuntimeDefault", "Unconfined");
    private static final List<String> SYSTEMS = List.of("linux", "windows");

    /** The fields that a pod of the other system can't have, below its spec and below its security context. */
    private static final List<String> LINUX = List.of(
            "securityContext.appArmorProfile",
            "securityContext.seLinuxOptions",
            "hostUsers",
            "hostPID",
            "hostIPC",
            "securityContext.seccompProfile",
            "securityContext.fsGroup",
            "securityContext.fsGroupChangePolicy",
            "securityContext.sysctls",
            "shareProcessNamespace",
            "securityContext.runAsUser",
            "securityContext.runAsGroup",
            "securityContext.supplementalGroups",
            "securityContext.supplementalGroupsPolicy");

    private static final List<String> LINUX_CONTAINERS = List.of(
            "appArmorProfile",
            "seLinuxOptions",
            "seccompProfile",
            "capabilities",
            "readOnlyRootFilesystem",
            "privileged",
            "allowPrivilegeEscalation",
            "procMount",
            "runAsUser",
            "runAsGroup");

    private PodSecurityCheck() {}

    /** Checks the spec of a pod. */
    static void check(Field spec) {
        Field context = spec.at("securityContext");
        sysctls(spec, context.at("sysctls"));
        profiles(context);
        if (hasOwnUsers(spec)) {
            for (String shared : List.of("hostNetwork", "hostPID", "hostIPC")) {
                if (spec.at(shared).flag()) {
                    spec.at(shared).forbidden("when `pod.Spec.HostUsers` is false");
                }
            }
        }
        if (spec.has("os")) {
            system(spec);
        }
    }

    private static boolean hasOwnUsers(Field spec) {
        return spec.has("hostUsers") && !spec.at("hostUsers").flag();
    }

    /** Checks the security context of a container. */
    static void checkContainer(Field context, Field spec) {
        if (context.isEmpty()) {
            return;
        }
        profiles(context);
        if (context.at("procMount").is("Unmasked") && !hasOwnUsers(spec)) {
            context.at("procMount").invalid("`hostUsers` must be false to use `Unmasked`");
        }
        if (!context.has("allowPrivilegeEscalation")
                || context.at("allowPrivilegeEscalation").flag()) {
            return;
        }
        if (context.at("privileged").flag()) {
            context.invalidValue("cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
        }
        if (context.at("capabilities").at("add").texts().contains("CAP_SYS_ADMIN")) {
            context.invalidValue("cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN");
        }
    }

    private static void sysctls(Field spec, Field sysctls) {
        Set<String> names = new HashSet<>();
        for (Field sysctl : sysctls) {
            Field name = sysctl.at("name");
            if (name.require("")) {
                if (isSysctl(name.text())) {
                    name.unique(names);
                } else {
                    name.invalid("must have at most " + LONGEST_SYSCTL + " characters and match regex " + SYSCTL);
                }
            }
            String dotted = name.text().replace('/', '.');
            if (dotted.startsWith("net.") && spec.at("hostNetwork").flag()) {
                name.invalid("may not be specified when 'hostNetwork' is true");
            } else if (isOfProcesses(dotted) && spec.at("hostIPC").flag()) {
                name.invalid("may not be specified when 'hostIPC' is true");
            }
        }
    }

    private static boolean isOfProcesses(String name) {
        return name.equals("kernel.sem")
                || name.startsWith("kernel.shm")
                || name.startsWith("kernel.msg")
                || name.startsWith("fs.mqueue.");
    }

    /** Parts with dots or slashes between them, each beginning and ending with a letter or a digit. */
    private static boolean isSysctl(String name) {
        boolean inside = false;
        char last = '.';
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
            boolean between = c == '.' || c == '/';
            boolean joins = c == '-' || c == '_';
            if (!plain && !(between && inside && last != '-' && last != '_') && !(joins && inside)) {
                return false;
            }
            inside = !between;
            last = c;
        }
        return name.length() <= LONGEST_SYSCTL && inside && last != '-' && last != '_';
    }

    private static void profiles(Field context) {
        if (context.has("seccompProfile")) {
            seccomp(context.at("seccompProfile"));
        }
        if (context.has("appArmorProfile")) {
            appArmor(context.at("appArmorProfile"));
        }
    }

    private static boolean local(Field type, String what) {
        type.require("type is required when " + what + "Profile is set");
        type.oneOf(PROFILES);
        return type.is("Localhost");
    }

    private static void seccomp(Field profile) {
        Field file = profile.at("localhostProfile");
        if (!local(profile.at("type"), "seccomp")) {
            if (!file.isMissing()) {
                profile.as("localhostProfile", profile.value())
                        .invalidValue("can only be set when seccomp type is Localhost");
            }
        } else if (file.isMissing()) {
            file.required("must be set when seccomp type is Localhost");
        } else {
            VolumeSourceCheck.checkBelow(file);
        }
    }

    private static void appArmor(Field profile) {
        Field field = profile.at("localhostProfile");
        String name = field.text();
        if (!local(profile.at("type"), "appArmor")) {
            if (!name.isEmpty()) {
                field.invalid("can only be set when AppArmor type is Localhost");
            }
        } else if (name.isBlank()) {
            field.required("must be set when AppArmor type is Localhost");
        } else if (!name.equals(name.strip())) {
            field.invalid("must not be padded with whitespace");
        } else if (name.length() > LONGEST_PROFILE) {
            field.tooLong(LONGEST_PROFILE);
        }
    }

    private static void system(Field spec) {
        Field system = spec.at("os").at("name");
        if (!system.require("cannot be empty")) {
            return;
        }
        spec.at("os").oneOf(system.text(), SYSTEMS);
        boolean windows = system.is("windows");
        String why = windows ? "cannot be set for a windows pod" : "windows options cannot be set for a linux pod";
        for (String path : windows ? LINUX : List.of("securityContext.windowsOptions")) {
            Field field = spec.as(path, spec.value().at("/" + path.replace('.', '/')));
            boolean flag = path.equals("hostPID") || path.equals("hostIPC");
            if (flag ? field.flag() : !field.isMissing()) {
                field.forbidden(why);
            }
        }
        for (String list : List.of("initContainers", "containers")) {
            for (Field container : spec.at(list)) {
                for (String field : windows ? LINUX_CONTAINERS : List.of("windowsOptions")) {
                    if (container.at("securityContext").has(field)) {
                        container.at("securityContext").at(field).forbidden(why);
                    }
                }
            }
        }
    }
}

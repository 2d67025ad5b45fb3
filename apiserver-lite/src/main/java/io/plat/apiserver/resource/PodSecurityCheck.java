package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What is wrong with what a pod and its containers may do on which system: in the words of existing servers. */
final class PodSecurityCheck {
    private static final int LONGEST_SYSCTL = 253;
    private static final String SYSCTL = "^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";
    private static final int LONGEST_PROFILE = 4095;
    private static final List<String> PROFILES = List.of("Localhost", "RuntimeDefault", "Unconfined");
    private static final List<String> SYSTEMS = List.of("linux", "windows");

    /** What a pod of the other system can't have, and each of its containers. */
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

    private final String path;
    private final JsonNode spec;
    private final Causes causes;

    private PodSecurityCheck(String path, JsonNode spec, Causes causes) {
        this.path = path;
        this.spec = spec;
        this.causes = causes;
    }

    /** Checks the spec of a pod that stands at a path. */
    static void check(String path, JsonNode spec, Causes causes) {
        PodSecurityCheck check = new PodSecurityCheck(path, spec, causes);
        JsonNode context = spec.path("securityContext");
        if (context.has("sysctls")) {
            check.sysctls(context.path("sysctls"));
        }
        check.profiles(path + ".securityContext", context);
        if (spec.has("hostUsers") && !spec.path("hostUsers").asBoolean()) {
            for (String shared : List.of("hostNetwork", "hostPID", "hostIPC")) {
                if (spec.path(shared).asBoolean()) {
                    causes.forbidden(path + "." + shared, "when `pod.Spec.HostUsers` is false");
                }
            }
        }
        if (spec.has("os")) {
            check.system();
        }
    }

    /** Checks a container that stands at a path. */
    static void checkContainer(String path, JsonNode container, JsonNode spec, Causes causes) {
        JsonNode context = container.path("securityContext");
        if (context.isEmpty()) {
            return;
        }
        String field = path + ".securityContext";
        new PodSecurityCheck(path, spec, causes).profiles(field, context);
        boolean ownUsers = spec.has("hostUsers") && !spec.path("hostUsers").asBoolean();
        if (Json.text(context, "procMount").equals("Unmasked") && !ownUsers) {
            causes.invalid(field + ".procMount", "Unmasked", "`hostUsers` must be false to use `Unmasked`");
        }
        if (!context.has("allowPrivilegeEscalation")
                || context.path("allowPrivilegeEscalation").asBoolean()) {
            return;
        }
        if (context.path("privileged").asBoolean()) {
            causes.invalidValue(
                    field, context, "cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
        }
        if (MetadataRules.texts(context.path("capabilities").path("add")).contains("CAP_SYS_ADMIN")) {
            causes.invalidValue(
                    field,
                    context,
                    "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN");
        }
    }

    private void sysctls(JsonNode list) {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < list.size(); i++) {
            String field = path + ".securityContext.sysctls[" + i + "].name";
            String name = Json.text(list.path(i), "name");
            if (name.isEmpty()) {
                causes.required(field, "");
            } else if (!isSysctl(name)) {
                causes.invalid(
                        field, name, "must have at most " + LONGEST_SYSCTL + " characters and match regex " + SYSCTL);
            } else if (!names.add(name)) {
                causes.duplicate(field, name);
            }
            String dotted = name.replace('/', '.');
            if (dotted.startsWith("net.") && spec.path("hostNetwork").asBoolean()) {
                causes.invalid(field, name, "may not be specified when 'hostNetwork' is true");
            } else if (isOfProcesses(dotted) && spec.path("hostIPC").asBoolean()) {
                causes.invalid(field, name, "may not be specified when 'hostIPC' is true");
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

    private void profiles(String field, JsonNode context) {
        if (context.has("seccompProfile")) {
            seccomp(field + ".seccompProfile", context.path("seccompProfile"));
        }
        if (context.has("appArmorProfile")) {
            appArmor(field + ".appArmorProfile", context.path("appArmorProfile"));
        }
    }

    private boolean local(String field, JsonNode profile, String what) {
        String type = Json.text(profile, "type");
        if (type.isEmpty()) {
            causes.required(field + ".type", "type is required when " + what + "Profile is set");
        }
        causes.oneOf(field + ".type", type, PROFILES);
        return type.equals("Localhost");
    }

    private void seccomp(String field, JsonNode profile) {
        boolean said = profile.has("localhostProfile");
        if (!local(field, profile, "seccomp")) {
            if (said) {
                causes.invalidValue(
                        field + ".localhostProfile", profile, "can only be set when seccomp type is Localhost");
            }
        } else if (said) {
            VolumeSourceCheck.checkBelow(field + ".localhostProfile", Json.text(profile, "localhostProfile"), causes);
        } else {
            causes.required(field + ".localhostProfile", "must be set when seccomp type is Localhost");
        }
    }

    private void appArmor(String field, JsonNode profile) {
        String name = Json.text(profile, "localhostProfile");
        if (!local(field, profile, "appArmor")) {
            if (!name.isEmpty()) {
                causes.invalid(field + ".localhostProfile", name, "can only be set when AppArmor type is Localhost");
            }
        } else if (name.isBlank()) {
            causes.required(field + ".localhostProfile", "must be set when AppArmor type is Localhost");
        } else if (!name.equals(name.strip())) {
            causes.invalid(field + ".localhostProfile", name, "must not be padded with whitespace");
        } else if (name.length() > LONGEST_PROFILE) {
            causes.tooLong(field + ".localhostProfile", LONGEST_PROFILE);
        }
    }

    private void system() {
        String system = Json.text(spec.path("os"), "name");
        if (system.isEmpty()) {
            causes.required(path + ".os.name", "cannot be empty");
            return;
        }
        causes.oneOf(path + ".os", system, SYSTEMS);
        boolean windows = system.equals("windows");
        List<String> ofPod = windows ? LINUX : List.of("securityContext.windowsOptions");
        List<String> ofContainer = windows ? LINUX_CONTAINERS : List.of("windowsOptions");
        String why = windows ? "cannot be set for a windows pod" : "windows options cannot be set for a linux pod";
        for (String field : ofPod) {
            JsonNode value = field.startsWith("securityContext.")
                    ? spec.path("securityContext").path(field.substring("securityContext.".length()))
                    : spec.path(field);
            boolean flag = field.equals("hostPID") || field.equals("hostIPC");
            if (flag ? value.asBoolean() : !value.isMissingNode()) {
                causes.forbidden(path + "." + field, why);
            }
        }
        for (String list : List.of("initContainers", "containers")) {
            for (int i = 0; i < spec.path(list).size(); i++) {
                for (String field : ofContainer) {
                    if (spec.path(list).path(i).path("securityContext").has(field)) {
                        causes.forbidden(path + "." + list + "[" + i + "].securityContext." + field, why);
                    }
                }
            }
        }
    }
}

package io.plat.review.clientconfig;

import io.plat.review.source.SourceFields;
import io.plat.review.source.SourceNode.Scalar;
import io.plat.tls.pem.PemSource;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reader of the user of the current context. */
final class UserReader {
    private static final List<String> PROGRAMS = List.of("exec", "auth-provider");
    private static final List<String> PASSWORDS = List.of("username", "password");
    private static final List<String> IMPERSONATION = List.of("as", "as-uid", "as-groups", "as-user-extra");

    private final FileFields files;

    @Nullable
    PemSource certificate;

    @Nullable
    PemSource key;

    @Nullable
    BearerToken token;

    UserReader(Path folder) {
        this.files = new FileFields(folder);
    }

    void read(SourceFields user) {
        certificate = files.pem(user, "client-certificate");
        key = files.pem(user, "client-key");
        requirePair(user, "client-certificate", "client-key");
        requirePair(user, "client-key", "client-certificate");
        token = token(user);
        refuse(user, PROGRAMS, "not supported, credentials are certificates and tokens");
        refuse(user, PASSWORDS, "not supported, credentials are certificates and tokens");
        refuse(user, IMPERSONATION, "not supported, impersonation is not configurable");
    }

    private static void requirePair(SourceFields user, String one, String other) {
        boolean paired = isSet(user, other) || isSet(user, other + "-data");
        for (String key : List.of(one, one + "-data")) {
            if (isSet(user, key) && !paired) {
                user.problem(key, "given without " + other);
            }
        }
    }

    /** Returns whether a field has a value; an empty string is none, as in the tools that write these files. */
    private static boolean isSet(SourceFields user, String key) {
        return user.has(key)
                && !(user.node(key) instanceof Scalar scalar && scalar.text().isEmpty());
    }

    private @Nullable BearerToken token(SourceFields user) {
        String text = user.string("token");
        Path file = files.file(user, "tokenFile");
        if (!text.isEmpty() && isSet(user, "tokenFile")) {
            user.problem("tokenFile", "given together with token, expected one of them");
            return null;
        }
        if (file != null) {
            return BearerToken.file(file);
        }
        return text.isEmpty() ? null : BearerToken.of(user.where("token"), text);
    }

    private static void refuse(SourceFields user, List<String> keys, String why) {
        for (String key : keys) {
            if (isSet(user, key)) {
                user.problem(key, why);
            }
        }
    }
}

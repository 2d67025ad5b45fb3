package io.plat.apiserver.authentication;

import com.google.re2j.Pattern;
import io.plat.review.UserInfo;
import java.util.List;
import java.util.Optional;

/** Service account name (specification, "Naming rules"). */
public record AccountName(String namespace, String name) {
    private static final int MAX_LABEL_LENGTH = 63;
    private static final int MAX_SUBDOMAIN_LENGTH = 253;
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
    private static final Pattern SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    /** Returns the service account of a user name; empty if the name is not that of a service account. */
    public static Optional<AccountName> ofUser(String user) {
        if (!user.startsWith(UserInfo.SERVICE_ACCOUNT_USER)) {
            return Optional.empty();
        }
        String[] names = user.substring(UserInfo.SERVICE_ACCOUNT_USER.length()).split(":", -1);
        return names.length == 2
                        && matches(LABEL, MAX_LABEL_LENGTH, names[0])
                        && matches(SUBDOMAIN, MAX_SUBDOMAIN_LENGTH, names[1])
                ? Optional.of(new AccountName(names[0], names[1]))
                : Optional.empty();
    }

    private static boolean matches(Pattern pattern, int maxLength, String name) {
        return name.length() <= maxLength && pattern.matcher(name).matches();
    }

    public String user() {
        return UserInfo.serviceAccountUser(namespace, name);
    }

    /** Returns its groups, except that of all authenticated users. */
    public List<String> groups() {
        return List.of(UserInfo.SERVICE_ACCOUNTS, UserInfo.serviceAccountsOf(namespace));
    }
}

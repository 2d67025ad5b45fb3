package io.plat.review;

/**
 * The attributes of a request that an authorizer decides. They are the whole spec of a review, so that equal attributes are equal requests and can be
 * cache keys.
 *
 * @param access the requested access
 */
public record Attributes(UserInfo user, AccessAttributes access) implements Comparable<Attributes> {
    @Override
    public int compareTo(Attributes other) {
        int order = user.compareTo(other.user);
        return order != 0
                ? order
                : switch (access) {
                    case ResourceAttributes one
                    when other.access instanceof ResourceAttributes two -> one.compareTo(two);
                    case NonResourceAttributes one
                    when other.access instanceof NonResourceAttributes two -> one.compareTo(two);
                    case ResourceAttributes resource -> -1;
                    case NonResourceAttributes path -> 1;
                };
    }
}

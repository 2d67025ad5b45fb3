/** {@code plat review} and {@code plat whoami}: a review as it is, and the caller as the server sees them. */
@NullMarked
package io.plat.cli.review;

import org.jspecify.annotations.NullMarked;

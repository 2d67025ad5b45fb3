/** What is lent is lent once. */
@NullMarked
package io.plat.apiserver.allocation;

import org.jspecify.annotations.NullMarked;

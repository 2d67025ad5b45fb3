/** Memory accounting of requests: estimates before allocation, and limits per request and in total. */
@NullMarked
package io.plat.apiserver.memory;

import org.jspecify.annotations.NullMarked;

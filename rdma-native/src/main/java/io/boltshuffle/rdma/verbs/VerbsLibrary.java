package io.boltshuffle.rdma.verbs;

import com.sun.jna.Library;
import com.sun.jna.Pointer;
import org.jspecify.annotations.Nullable;

/**
 * The exported functions, with names and argument order as in {@code infiniband/verbs.h}: control calls only. Interface
 * mapping costs some 700 ns a call and allows any number of libraries in one process. Calls that are made for each
 * message go through {@link TableCall}.
 *
 * <p>Functions that return a pointer return null and set errno on failure; {@code int} functions return 0 or an errno,
 * except {@code ibv_query_gid}, which returns -1 and sets errno.
 */
interface VerbsLibrary extends Library {

    @Nullable Pointer ibv_get_device_list(Pointer count);

    void ibv_free_device_list(Pointer list);

    @Nullable String ibv_get_device_name(Pointer device);

    @Nullable Pointer ibv_open_device(Pointer device);

    int ibv_close_device(Pointer context);

    int ibv_query_device(Pointer context, Pointer deviceAttr);

    /** The exported function is a compatibility one that fills the oldest layout, so callers zero the struct first. */
    int ibv_query_port(Pointer context, byte port, Pointer portAttr);

    int ibv_query_gid(Pointer context, byte port, int index, Pointer gid);

    @Nullable Pointer ibv_alloc_pd(Pointer context);

    int ibv_dealloc_pd(Pointer pd);

    @Nullable Pointer ibv_reg_mr(Pointer pd, Pointer address, long length, int access);

    int ibv_dereg_mr(Pointer mr);

    @Nullable Pointer ibv_create_cq(
            Pointer context, int entries, @Nullable Pointer cqContext, @Nullable Pointer channel, int vector);

    int ibv_destroy_cq(Pointer cq);

    @Nullable Pointer ibv_create_qp(Pointer pd, Pointer qpInitAttr);

    int ibv_destroy_qp(Pointer qp);

    int ibv_modify_qp(Pointer qp, Pointer qpAttr, int mask);

    /** The two out-pointers must be separate memory, because real libraries write both. */
    int ibv_query_qp(Pointer qp, Pointer qpAttr, int mask, Pointer qpInitAttr);
}
